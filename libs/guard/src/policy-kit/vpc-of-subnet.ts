import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import { DEFAULT_VPC } from '@ovn-steward/shared/default-vpc';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';

/** On a Vpc that mirrors a router of another system, such as Neutron (kube-ovn.md §2). */
const EXTERNAL = 'ovn.kubernetes.io/vpc_external';

/** CEL: whether the Vpc that is to be deleted is such a mirror. */
export const isExternalCel = `has(oldObject.metadata.labels) && '${EXTERNAL}' in oldObject.metadata.labels && oldObject.metadata.labels['${EXTERNAL}'] == 'true'`;

/** Whatever the label says: one that is there at all makes a Vpc none of ours. */
export const isExternal = ({ metadata }: KubernetesObject): boolean =>
  isRecord(metadata['labels']) && Object.hasOwn(metadata['labels'], EXTERNAL);

/**
 * By its own word, by its usual name, or since the default subnet lies in it: a status may not be
 * written yet.
 */
export const isDefault = (
  { metadata, status }: KubernetesObject,
  subnets: Iterable<SubnetVpc>,
): boolean =>
  metadata.name === DEFAULT_VPC ||
  (isRecord(status) && status['default'] === true) ||
  [...subnets].some((it) => it.isDefault && it.vpc === metadata.name);

/** What a Subnet says of its VPC. */
export interface SubnetVpc {
  readonly name: string;
  /** Empty: the default VPC. `undefined`: it is not known. */
  readonly vpc: string | undefined;
  /** It is the default subnet. */
  readonly isDefault: boolean;
}

export function subnetVpc({ metadata: { name }, spec }: KubernetesObject): SubnetVpc {
  if (!isRecord(spec)) return { name, vpc: undefined, isDefault: false };
  const { vpc = '' } = spec;
  return {
    name,
    vpc: typeof vpc === 'string' ? vpc : undefined,
    isDefault: spec['default'] === true,
  };
}

/**
 * The names of the Subnets that name the Vpc, in order, those included that are being deleted;
 * undefined when it is not known of one of them.
 */
export function subnetsNaming(
  vpc: string,
  subnets: Iterable<SubnetVpc>,
): readonly string[] | undefined {
  const naming: string[] = [];
  for (const subnet of subnets) {
    if (subnet.vpc === undefined) return undefined;
    if (subnet.vpc === vpc) naming.push(subnet.name);
  }
  return naming.sort();
}
