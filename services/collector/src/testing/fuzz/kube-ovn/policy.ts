import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { nameOf } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { annotationOf } from '../cluster';
import { isLive, machineOf } from './pod';

const SUFFIX = '.kubernetes.io/allocated';

export interface PolicyPort {
  readonly protocol: string;
  /** A name is that of a container's port, of which nothing is known here. */
  readonly port?: number | string;
  readonly endPort?: number;
}

/** Without `from` it is for everybody. */
export interface PolicyRule {
  readonly ports?: readonly PolicyPort[];
  readonly from?: readonly { readonly ipBlock: { readonly cidr: string } }[];
}

export interface PolicySpec {
  readonly podSelector: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly policyTypes: readonly string[];
  readonly ingress: readonly PolicyRule[];
}

export const policySpec = (policy: KubernetesObject): PolicySpec => policy['spec'] as PolicySpec;

/** The name of its group (kube-ovn.md §3.4). */
export const groupOf = (namespace: string, name: string): string =>
  `${name}.${namespace}`.replaceAll('-', '.');

/** Whether the policy is for the pod. */
export function isSelected(policy: KubernetesObject, pod: KubernetesObject): boolean {
  const { matchLabels = {} } = policySpec(policy).podSelector;
  const labels = (pod.metadata['labels'] as Record<string, string> | undefined) ?? {};
  return (
    policy.metadata.namespace === pod.metadata.namespace &&
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value)
  );
}

/** The names of the ports a living pod says it has. */
export function portsOf(pod: KubernetesObject): string[] {
  if (!isLive(pod)) return [];
  const { namespace = '', name } = pod.metadata;
  return Object.entries((pod.metadata['annotations'] as object | undefined) ?? {}).flatMap(
    ([key, value]) => {
      if (!key.endsWith(SUFFIX) || value !== 'true') return [];
      const provider = key.slice(0, -SUFFIX.length);
      const owner =
        annotationOf(pod, `${provider}.kubernetes.io/virtualmachine`) ?? machineOf(pod) ?? name;
      return [nameOf({ namespace, pod: owner, suffix: provider === 'ovn' ? '' : `.${provider}` })];
    },
  );
}
