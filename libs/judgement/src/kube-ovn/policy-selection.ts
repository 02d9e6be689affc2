import type { Entity } from '../world/entity';
import { selects } from './label-selector';
import { isAlive, type PodNetwork, podNetworks } from './pod-networks';

/**
 * By which a policy's author says for which networks it is; all of a pod's without it (Kube-OVN's
 * pkg/controller/network_policy.go, parsePolicyFor).
 */
const POLICY_FOR = 'ovn.kubernetes.io/network_policy_for';

/**
 * Whether the policy selects the pod by namespace and labels; undefined for a selector this version
 * does not know. One whose selector was not read selects every pod of its namespace.
 */
export function selectsPod(
  { namespace, object: { spec } }: Entity<'NetworkPolicy'>,
  pod: Entity<'Pod'>,
): boolean | undefined {
  if (namespace !== pod.namespace) return false;
  return spec?.podSelector ? selects(spec.podSelector, pod.object.metadata.labels ?? {}) : true;
}

/**
 * The networks of the pod that Kube-OVN puts into the policy's group: those it gave a port, as far
 * as the policy is for them. None of a pod that does not live, is on the host's network, or that
 * the policy does not select for certain (kube-ovn.md §5).
 */
export function networksUnder(policy: Entity<'NetworkPolicy'>, pod: Entity<'Pod'>): PodNetwork[] {
  if (!policy.object.spec?.podSelector || !isAlive(pod) || selectsPod(policy, pod) !== true)
    return [];
  const providers = providersOf(policy);
  return podNetworks(pod).filter(
    ({ provider }) => providers === undefined || providers.has(provider),
  );
}

/** The networks the policy is for, as providers; undefined when it is for all. */
function providersOf(policy: Entity<'NetworkPolicy'>): ReadonlySet<string> | undefined {
  const annotation = (policy.object.metadata.annotations?.[POLICY_FOR] ?? '').trim();
  if (annotation === '') return undefined;
  const entries = annotation.split(',').map((it) => it.trim());
  return new Set(
    entries.flatMap((entry) => {
      if (entry.toLowerCase() === 'ovn') return ['ovn'];
      const [, namespace, name] = /^([^/]+)\/(.+)$/.exec(entry) ?? [];
      return namespace === undefined ? [] : [`${name}.${namespace}.ovn`];
    }),
  );
}
