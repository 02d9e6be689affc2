import { flatten, prefixedNames } from '../ownership/grammar/names';
import type { Entity, Kind } from '../world/entity';
import { selects } from './label-selector';

/** Policies of administrators, for the whole cluster (policy.networking.k8s.io). */
export const ADMIN_POLICY_KINDS = [
  'AdminNetworkPolicy',
  'BaselineAdminNetworkPolicy',
  'ClusterNetworkPolicy',
] as const satisfies readonly Kind[];
/**
 * Kinds that a recording may lack: few clusters have them, and recordings made before they were
 * read do not.
 */
export const OPTIONAL_KINDS: ReadonlySet<string> = new Set(ADMIN_POLICY_KINDS);
export type AdminPolicyKind = (typeof ADMIN_POLICY_KINDS)[number];

/**
 * The key by which its rows name a policy, and what Kube-OVN writes before a name that does not
 * begin with a letter: of a baseline policy the same as of an AdminNetworkPolicy
 * (pkg/controller/baseline_admin_network_policy.go, getAnpName).
 */
export const ADMIN_POLICY_KEYS = {
  AdminNetworkPolicy: { key: 'anp', prefix: 'anp' },
  BaselineAdminNetworkPolicy: { key: 'banp', prefix: 'anp' },
  ClusterNetworkPolicy: { key: 'cnp', prefix: 'cnp' },
} as const satisfies Record<AdminPolicyKind, { key: string; prefix: string }>;

/** Its name, as Kube-OVN writes it where a letter has to be first. */
const writtenName = ({ kind, name }: { kind: AdminPolicyKind; name: string }): string =>
  prefixedNames(ADMIN_POLICY_KEYS[kind].prefix, name).at(-1)!;

/** The port group of the policy (kube-ovn.md §3.4). */
export const groupOfAdminPolicy = (policy: { kind: AdminPolicyKind; name: string }): string =>
  flatten(writtenName(policy));

/**
 * What that group has as the value of its key: of a ClusterNetworkPolicy its own name, with dots
 * for dashes (setupCnpPortGroup, pkg/controller/cluster_network_policy.go, v1.15 to v1.17), of the
 * others the policy's. Address sets have the policy's name, with a direction behind it.
 */
export const keyOfAdminPolicy = (policy: { kind: AdminPolicyKind; name: string }): string =>
  policy.kind === 'ClusterNetworkPolicy' ? groupOfAdminPolicy(policy) : writtenName(policy);

export const DIRECTIONS = ['ingress', 'egress'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The address sets of one rule's peers, for IPv4 and IPv6. */
export const setsOfRule = (
  group: string,
  direction: Direction,
  index: number,
  rule: string,
): readonly string[] =>
  ['IPv4', 'IPv6'].map((family) => flatten(`${group}.${direction}.${index}.${rule}.${family}`));

/**
 * Whether the policy's subject has the pod; undefined for an operator that this version does not
 * know, or a subject that was not read.
 */
export function adminPolicySelects(
  { object }: Entity<AdminPolicyKind>,
  pod: Entity<'Pod'>,
  namespace: Entity<'Namespace'>,
): boolean | undefined {
  const { namespaces, pods } = object.spec?.subject ?? {};
  const ofNamespace = namespace.object.metadata.labels ?? {};
  if (namespaces) return selects(namespaces, ofNamespace);
  if (!pods?.namespaceSelector || !pods.podSelector) return undefined;
  const each = [
    selects(pods.namespaceSelector, ofNamespace),
    selects(pods.podSelector, pod.object.metadata.labels ?? {}),
  ];
  if (each.includes(false)) return false;
  return each.includes(undefined) ? undefined : true;
}
