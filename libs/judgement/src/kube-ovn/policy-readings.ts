import type { Kind } from '../world/entity';
import { ADMIN_POLICY_KEYS, ADMIN_POLICY_KINDS, type AdminPolicyKind } from './admin-policies';
import { BUILT_IN_GROUPS } from './security-groups';

/** Objects Kube-OVN writes port groups and address sets for. */
export const POLICY_OWNER_KINDS = [
  'NetworkPolicy',
  'SecurityGroup',
  'Node',
  'Subnet',
  'Vpc',
  'IPPool',
  'VpcEgressGateway',
] as const satisfies readonly Kind[];
/**
 * Those, and policies of administrators: not every cluster knows these, so that rules consult them.
 */
export type PolicyOwnerKind = (typeof POLICY_OWNER_KINDS)[number] | AdminPolicyKind;

/** One way to read a row's keys: all of these objects together would keep it. */
export type PolicyReading = readonly { readonly kind: PolicyOwnerKind; readonly key: string }[];

/**
 * The readings of a port group's or address set's keys. Keys are ambiguous on purpose: `np=node/x`
 * is node x, or policy x of a namespace called node, and `np=a/b` may be subnet a on node b; the
 * row lives while any reading does (kube-ovn.md §4.6). Undefined when some key names an owner that
 * cannot be, or no key names one: then nothing is known.
 */
export function readingsOf(
  ids: Readonly<Record<string, string>>,
): readonly PolicyReading[] | undefined {
  const id = (key: string): string | undefined => (Object.hasOwn(ids, key) ? ids[key] : undefined);
  const readings: PolicyReading[] = [];
  const sg = id('sg');
  if (sg !== undefined) {
    if (BUILT_IN_GROUPS.has(sg)) return undefined;
    readings.push([{ kind: 'SecurityGroup', key: sg }]);
  }
  const subnet = id('subnet') ?? id('ls');
  if (subnet !== undefined) {
    const node = id('node');
    readings.push([
      { kind: 'Subnet', key: subnet },
      ...(node === undefined ? [] : [{ kind: 'Node' as const, key: node }]),
    ]);
  } else if (id('node') !== undefined) readings.push([{ kind: 'Node', key: id('node')! }]);
  const np = id('np');
  if (np !== undefined) {
    const parts = np.split('/');
    if (parts.length < 2 || parts.length > 3 || parts.some((it) => it === '')) return undefined;
    readings.push(...policyReadings(parts[0]!, parts[1]!, parts.length === 2));
  }
  const pool = id('ippool');
  if (pool !== undefined) readings.push([{ kind: 'IPPool', key: pool }]);
  const vpc = id('vpc');
  if (vpc !== undefined) readings.push([{ kind: 'Vpc', key: vpc }]);
  for (const kind of ADMIN_POLICY_KINDS) {
    const policy = id(ADMIN_POLICY_KEYS[kind].key);
    if (policy === undefined) continue;
    const [, name] = /^([^/]+)(?:\/(?:ingress|egress))?$/.exec(policy) ?? [];
    if (name === undefined) return undefined;
    readings.push(...adminPolicyReadings(kind, name));
  }
  const gateway = id('vpc-egress-gateway');
  if (gateway !== undefined) readings.push([{ kind: 'VpcEgressGateway', key: gateway }]);
  return readings.length > 0 ? readings : undefined;
}

function policyReadings(first: string, second: string, alsoNodes: boolean): PolicyReading[] {
  const readings: PolicyReading[] = [[{ kind: 'NetworkPolicy', key: `${first}/${second}` }]];
  // Kube-OVN puts `np` before a policy's name that does not begin with a letter.
  if (second.startsWith('np'))
    readings.push([{ kind: 'NetworkPolicy', key: `${first}/${second.slice(2)}` }]);
  if (!alsoNodes) return readings;
  if (first === 'node') readings.push([{ kind: 'Node', key: second }]);
  readings.push([
    { kind: 'Subnet', key: first },
    { kind: 'Node', key: second },
  ]);
  return readings;
}

/** A name that begins with the prefix may have it from Kube-OVN. */
function adminPolicyReadings(kind: AdminPolicyKind, name: string): PolicyReading[] {
  const { prefix } = ADMIN_POLICY_KEYS[kind];
  const names = name.startsWith(prefix) ? [name, name.slice(prefix.length)] : [name];
  return names.filter(Boolean).map((it) => [{ kind, key: it }]);
}
