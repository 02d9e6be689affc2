import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { operation as op } from '@ovn-steward/ovsdb';
import { type Cluster, rowNamed } from '../cluster';
import { keysOf } from './policy-acls';

/** What drops whatever the groups of a port do not let through. */
export const DENY_ALL = 'kubeovn_deny_all';

export interface GroupRule {
  readonly ipVersion: 'ipv4';
  readonly priority: number;
  readonly protocol: 'all' | 'tcp' | 'udp';
  readonly portRangeMin?: number;
  readonly portRangeMax?: number;
  readonly remoteType: 'address' | 'securityGroup';
  readonly remoteAddress?: string;
  readonly remoteSecurityGroup?: string;
  readonly policy: 'allow' | 'drop';
}

export interface GroupSpec {
  readonly ingressRules: readonly GroupRule[];
  readonly egressRules: readonly GroupRule[];
  readonly allowSameGroupTraffic: boolean;
}

export const groupSpec = (group: KubernetesObject): GroupSpec => group['spec'] as GroupSpec;

/** Two names may give one (pkg/ovs/util.go, GetSgPortGroupName). */
export const portGroupOf = (name: string): string => `ovn.sg.${name}`.replaceAll('-', '.');
export const setsOfGroup = (name: string): readonly [v4: string, v6: string] => [
  `${portGroupOf(name)}.associated.v4`,
  `${portGroupOf(name)}.associated.v6`,
];

/** Each direction as specs, ACLs, matches and the status call it. */
export const DIRECTIONS = [
  { rules: 'ingressRules', acls: 'to-lport', port: 'outport', end: 'src', of: 'ingress' },
  { rules: 'egressRules', acls: 'from-lport', port: 'inport', end: 'dst', of: 'egress' },
] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The names of which one group is made; whoever of them is there has it. */
const namesakes = (name: string): ReadonlySet<string> =>
  new Set([name, name.replaceAll('.', '-'), name.replaceAll('-', '.')]);

/** A group or a set, made or with the keys of who asked last (CreatePortGroup, CreateAddressSet). */
export function ensureOf(
  cluster: Cluster,
  table: 'Port_Group' | 'Address_Set',
  name: string,
  sg: string,
): boolean {
  const ids = keysOf(cluster, table === 'Port_Group' ? { type: 'security_group', sg } : { sg });
  const [known, row] = rowNamed(cluster, table, name) ?? [];
  const isSame = JSON.stringify(row?.['external_ids']) === JSON.stringify(ids);
  if (known !== undefined && (isSame || table === 'Address_Set')) return false;
  const uid = known ?? cluster.random.uuid();
  cluster.write(
    known === undefined
      ? op.insert(table, { name, external_ids: ids }, uid)
      : op.update(table, op.byUuid(uid), { external_ids: ids }),
  );
  const owners =
    sg === DENY_ALL
      ? [{ kind: 'Vpc', name: 'ovn-cluster' }]
      : [...namesakes(sg)].map((it) => ({ kind: 'SecurityGroup', name: it }));
  cluster.labels.set({ kind: table, uid, name, by: 'kube-ovn', owners, addresses: [] });
  cluster.diary.push(`${table} ${name} is of ${sg}`);
  return true;
}
