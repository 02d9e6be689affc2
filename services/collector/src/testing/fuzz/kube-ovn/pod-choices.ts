import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { annotationOf } from '../cluster';
import { addressIn, type Ipam } from './ipam';
import { LAB } from './namespaces';

const KEY = 'ovn.kubernetes.io/';
const OWNED = `f:${KEY}logical_switch`;

interface OwnedFields {
  readonly manager: string;
  readonly fieldsV1: {
    readonly 'f:metadata': { readonly 'f:annotations': Readonly<Record<string, object>> };
  };
}

/**
 * The address that a pod asks for, else one of the subnet (acquireAddress). Where it may not have
 * that, it gets none. Pods elsewhere ask for none: what they have was given to them.
 */
export function addressFor(
  ipam: Ipam,
  pod: KubernetesObject,
  subnet: string,
  port: string,
): string | undefined {
  const asked = annotationOf(pod, `${KEY}ip_address`);
  if (pod.metadata.namespace !== LAB || asked === undefined) return ipam.allocate(subnet, port);
  const isOfSubnet = asked.startsWith(addressIn(subnet, 0).slice(0, -1));
  return isOfSubnet && ipam.takeFree(subnet, asked, port) ? asked : undefined;
}

/**
 * The pod with Kube-OVN noted as the writer of its subnet, where the API server notes writers.
 * Who writes what is there already changes nothing, and is not noted.
 */
export function writtenByKubeOvn(pod: KubernetesObject): KubernetesObject {
  const managers = pod.metadata['managedFields'] as readonly OwnedFields[] | undefined;
  if (managers === undefined) return pod;
  if (managers.some((it) => OWNED in it.fieldsV1['f:metadata']['f:annotations'])) return pod;
  const own: OwnedFields = {
    manager: 'kube-ovn-controller',
    fieldsV1: { 'f:metadata': { 'f:annotations': { [OWNED]: {} } } },
  };
  return {
    ...pod,
    metadata: { ...pod.metadata, managedFields: [...managers, own] },
  } as unknown as KubernetesObject;
}
