import type { NbRow } from './grammar/row';
import type { StringMap } from '../world/ovn-rows';
import { mapOf, valueOf } from './grammar/row';

/** Those whose rows can be distinguished from Kube-OVN's. */
export type ForeignOwner =
  'neutron' | 'octavia' | 'ovn-k8s' | 'incus-lxd' | 'ovirt' | 'microovn' | 'submariner' | 'ovn-ic';

interface Keys {
  readonly owner: ForeignOwner;
  readonly prefixes: readonly string[];
  readonly exact: readonly string[];
}

/**
 * Keys of `external_ids` by writer, the more particular first: Octavia writes some of its own with
 * Neutron's prefix.
 */
const KEYS: readonly Keys[] = [
  {
    owner: 'octavia',
    prefixes: ['octavia:', 'listener_', 'pool_', 'member_', 'neutron:vip'],
    exact: ['ls_refs', 'lr_ref'],
  },
  { owner: 'neutron', prefixes: ['neutron:', 'neutron-bgp-', 'neutron_bgpvpn:'], exact: [] },
  {
    owner: 'ovn-k8s',
    prefixes: ['k8s.ovn.org/'],
    exact: ['k8s-cluster-router', 'physical_ip', 'physical_ips', 'ic-node', 'EgressSVC'],
  },
  { owner: 'incus-lxd', prefixes: ['incus_', 'lxd_'], exact: ['incus-managed'] },
  { owner: 'ovirt', prefixes: ['ovirt_'], exact: [] },
  { owner: 'microovn', prefixes: [], exact: ['microovn-bgp-managed'] },
  { owner: 'submariner', prefixes: [], exact: ['submariner'] },
  { owner: 'ovn-ic', prefixes: ['interconn-'], exact: ['ic-learned-route', 'ic-learnt'] },
];

interface Combination {
  readonly owner: ForeignOwner;
  /** All tables when absent. */
  readonly table?: string;
  readonly evidence: string;
  readonly test: (ids: StringMap) => boolean;
}

/** Keys that name a writer only in one table, with one value, or together. */
const COMBINATIONS: readonly Combination[] = [
  {
    owner: 'neutron',
    table: 'DHCP_Options',
    evidence: 'key subnet_id',
    test: (ids) => Object.hasOwn(ids, 'subnet_id'),
  },
  {
    owner: 'neutron',
    table: 'DNS',
    evidence: 'key ls_name',
    test: (ids) => Object.hasOwn(ids, 'ls_name'),
  },
  {
    owner: 'neutron',
    table: 'Logical_Router_Port',
    evidence: 'keys vni and vlan',
    test: (ids) => Object.hasOwn(ids, 'vni') && Object.hasOwn(ids, 'vlan'),
  },
  {
    owner: 'ovn-k8s',
    evidence: 'pod=true with a namespace key',
    test: (ids) => valueOf(ids, 'pod') === 'true' && Object.hasOwn(ids, 'namespace'),
  },
  {
    owner: 'ovn-k8s',
    evidence: 'name=hybrid-subnet-…',
    test: (ids) => valueOf(ids, 'name').startsWith('hybrid-subnet-'),
  },
  {
    owner: 'ovirt',
    evidence: 'keys gateway_router and ip_version',
    test: (ids) => Object.hasOwn(ids, 'gateway_router') && Object.hasOwn(ids, 'ip_version'),
  },
];

const exact = new Map(KEYS.flatMap((it) => it.exact.map((key) => [key, it.owner] as const)));
const prefixes = KEYS.flatMap((it) => it.prefixes.map((prefix) => [prefix, it.owner] as const));

/**
 * Keys northd and ovn-nbctl read as names for people, regardless of their writer: they protect, but
 * do not identify Neutron (ovn-nb(5), "Common Columns").
 */
const FRIENDLY_NAMES: ReadonlySet<string> = new Set([
  'neutron:network_name',
  'neutron:router_name',
  'neutron:port_name',
]);

/**
 * Neutron moves external_mac of every dnat_and_snat NAT into this key, on anybody's router
 * (maintenance task, seen live): alone on a NAT it says nothing about whose row it is, and the
 * router decides.
 */
const WRITTEN_INTO_ANY_NAT = 'neutron:fip_external_mac';

/** The writer whose key this is; undefined when it is none we know. */
const foreignOwnerOf = (key: string): ForeignOwner | undefined =>
  exact.get(key) ?? prefixes.find(([prefix]) => key.startsWith(prefix))?.[1];

/** A NAT row whose only key was put there by Neutron's maintenance. */
export function isMovedMac(row: NbRow): boolean {
  const keys = Object.keys(mapOf(row, 'external_ids'));
  return row.kind === 'NAT' && keys.length === 1 && keys[0] === WRITTEN_INTO_ANY_NAT;
}

interface ForeignKeys {
  /** `shared` when the keys name several writers, or only call the row by a name for people. */
  readonly owner: ForeignOwner | 'shared';
  readonly evidence: readonly string[];
}

/** Whose keys are on the row, tag of Kube-OVN's or not; undefined when there is no foreign one. */
export function foreignKeys(row: NbRow): ForeignKeys | undefined {
  const ids = mapOf(row, 'external_ids');
  const found = new Map<string, ForeignOwner>();
  for (const key of Object.keys(ids)) {
    const owner = foreignOwnerOf(key);
    if (owner) found.set(`key ${key}`, owner);
  }
  for (const combination of COMBINATIONS)
    if (
      (combination.table === undefined || combination.table === row.kind) &&
      combination.test(ids)
    )
      found.set(combination.evidence, combination.owner);
  if (found.size === 0) return undefined;
  const owners = new Set(found.values());
  if (owners.has('octavia')) owners.delete('neutron');
  const [owner] = owners;
  const generic =
    Object.hasOwn(ids, 'vendor') &&
    [...found.keys()].every((it) => FRIENDLY_NAMES.has(it.slice('key '.length)));
  const evidence = [...found].map(([says, whose]) => `${says} is ${whose}'s`);
  if (Object.hasOwn(ids, 'vendor'))
    evidence.push(`vendor=${ids['vendor']} is there too, but any copy would carry it`);
  return { owner: owners.size > 1 || generic ? 'shared' : owner!, evidence };
}
