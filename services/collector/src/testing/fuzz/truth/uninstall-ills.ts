import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { JsonColumns } from '@ovn-steward/ovsdb/testing/memory-database';
import { alive, type Cluster, keyIn, uuidsOf } from '../cluster';
import type { Ill } from './ill';

/** What may be said of a row that nobody is left to remove. */
const RULES_OF: Readonly<Record<string, readonly string[]>> = {
  Address_Set: ['orphaned-address-set'],
  BFD: ['orphaned-bfd'],
  DHCP_Options: ['orphaned-dhcp-options'],
  HA_Chassis_Group: ['orphaned-ha-chassis-group'],
  Load_Balancer: ['orphaned-load-balancer', 'stale-ip-port-mapping', 'stale-load-balancer-vip'],
  Load_Balancer_Health_Check: ['orphaned-load-balancer-health-check'],
  Logical_Router_Policy: ['orphaned-logical-router-policy'],
  Logical_Router_Port: ['orphaned-logical-router-port'],
  Logical_Router_Static_Route: ['stale-static-route'],
  Logical_Switch_Port: ['orphaned-logical-switch-port'],
  Meter: ['orphaned-meter'],
  NAT: ['orphaned-nat'],
  Port_Group: ['orphaned-port-group'],
};

export const isUninstalled = ({ objects }: Cluster): boolean =>
  objects.get('Deployment', 'kube-system', 'kube-ovn-controller') === undefined;

/** A row that Kube-OVN made: it is known, or the row has its tag and the key of nobody else. */
export function isOfKubeOvn(cluster: Cluster, uuid: string, row: JsonColumns): boolean {
  const label = cluster.labels.get(uuid);
  if (label) return label.by === 'kube-ovn';
  const ids = row['external_ids'];
  return isTagged(row) && !hasForeignKey(ids);
}

const hasForeignKey = (ids: unknown): boolean =>
  (ids as [string, [string, string][]])[1].some(([key]) => /[:/]/.test(key));

/**
 * What is wrong once Kube-OVN is uninstalled. No release can be read any more, so what depends on
 * one may stay unsaid; and nobody is left to remove what is in the Northbound. What somebody alive
 * has is kept as before.
 */
export function* uninstalledIlls(cluster: Cluster, usual: Iterable<Ill>): Generator<Ill> {
  for (const ill of usual) yield ill.expected === 'keep' ? ill : { ...ill, expected: 'may' };
  for (const [table, rules] of Object.entries(RULES_OF))
    for (const [uid, row] of cluster.rows(table))
      if (isOfKubeOvn(cluster, uid, row))
        for (const rule of rules)
          yield { rule, uid, what: `${table} of an uninstall`, expected: 'may' };
  yield* leftNetworks(cluster);
  yield* leftSharedRows(cluster);
  yield* damage(cluster);
  yield* leftObjects(cluster);
}

/** What names a network that is gone, while another one is there. */
function* leftObjects(cluster: Cluster): Generator<Ill> {
  const { objects } = cluster;
  for (const subnet of objects.all('Subnet'))
    if (!objects.get('Vpc', undefined, vpcOfSubnet(subnet))) {
      const { uid, name } = subnet.metadata;
      const expected = alive(subnet) ? 'must' : 'may';
      yield { rule: 'vpc-of-subnet-missing', uid, what: `no Vpc of ${name}`, expected };
    }
  if (!isAnyLeft(cluster)) return;
  for (const { metadata } of objects.all('Namespace')) {
    const what = `${metadata.name} names a Subnet that is gone`;
    yield { rule: 'namespace-names-former-network', uid: metadata.uid, what, expected: 'may' };
  }
}

const vpcOfSubnet = (subnet: KubernetesObject): string => (subnet['spec'] as { vpc: string }).vpc;

const isAnyLeft = ({ objects }: Cluster): boolean =>
  [...objects.all('Subnet'), ...objects.all('Vpc')].length > 0;

/** What the controller did to rows of others before. */
function* damage(cluster: Cluster): Generator<Ill> {
  const what = 'a row of others was harmed';
  for (const uid of cluster.damage.possible())
    yield { rule: 'neighbour-damaged', uid, what, expected: 'may' };
  for (const [uid, row] of cluster.rows('Port_Group'))
    if (heldBy(cluster, row, { acls: 'ACL' }).some((it) => it['tier'] !== 0))
      yield { rule: 'neighbour-damaged', uid, what, expected: 'may' };
}

const isUp = (cluster: Cluster): boolean =>
  [...cluster.rows('Logical_Switch_Port')].some(
    ([uid, row]) => row['up'] === true && isOfKubeOvn(cluster, uid, row),
  );

/** Switches and routers whose objects are gone, while no port of Kube-OVN is up. */
function* leftNetworks(cluster: Cluster): Generator<Ill> {
  if (isUp(cluster)) return;
  const { objects } = cluster;
  for (const [uid, row] of cluster.rows('Logical_Switch')) {
    const name = String(row['name']);
    if (!isOfKubeOvn(cluster, uid, row) || objects.get('Subnet', undefined, name)) continue;
    const isEmpty = heldBy(cluster, row, { ports: 'Logical_Switch_Port' }).every(
      (it) => it['type'] !== '',
    );
    const expected = isEmpty ? 'must' : 'may';
    yield { rule: 'orphaned-logical-switch', uid, what: `switch ${name}`, expected };
  }
  const used = new Set([...objects.all('Subnet')].map(vpcOfSubnet));
  for (const [uid, row] of cluster.rows('Logical_Router')) {
    const name = String(row['name']);
    if (!isOfKubeOvn(cluster, uid, row)) continue;
    if (objects.get('Vpc', undefined, name) || used.has(name)) continue;
    // Whose an untagged route or NAT is, not even the writer of another release can tell.
    const expected = heldBy(cluster, row, PARTS_OF_ROUTER).every(isTagged) ? 'must' : 'may';
    yield { rule: 'orphaned-logical-router', uid, what: `router ${name}`, expected };
  }
}

const PARTS_OF_ROUTER = {
  nat: 'NAT',
  policies: 'Logical_Router_Policy',
  ports: 'Logical_Router_Port',
  static_routes: 'Logical_Router_Static_Route',
} as const;

/** The rows in those columns, which are of those tables. */
const heldBy = (
  cluster: Cluster,
  row: JsonColumns,
  columns: Readonly<Record<string, string>>,
): JsonColumns[] =>
  Object.entries(columns).flatMap(([column, table]) =>
    uuidsOf(row[column]).map((it) => cluster.rows(table).get(it)!),
  );

const isTagged = (row: JsonColumns): boolean => keyIn(row['external_ids'], 'vendor') === 'kube-ovn';

const SHARED = ['Address_Set', 'HA_Chassis_Group', 'Load_Balancer', 'Port_Group'] as const;
const UNINSTALLED = {
  Address_Set: 'uninstalled-address-set',
  HA_Chassis_Group: 'uninstalled-ha-chassis-group',
  Load_Balancer: 'uninstalled-load-balancer',
  Port_Group: 'uninstalled-port-group',
} as const;

/** What many use, once no network is left. What another row names may be left for later. */
function* leftSharedRows(cluster: Cluster): Generator<Ill> {
  if (isUp(cluster) || isAnyLeft(cluster)) return;
  const named = namesIn(cluster);
  for (const table of SHARED)
    for (const [uid, row] of cluster.rows(table)) {
      if (!isOfKubeOvn(cluster, uid, row)) continue;
      const isNamed = named.has(uid) || named.has(String(row['name']));
      const holds = table === 'Port_Group' && uuidsOf(row['ports']).length > 0;
      const isProven = isTagged(row) && !isNamedByPerson(cluster, uid);
      const expected = isProven && !isNamed && !holds ? 'must' : 'may';
      yield { rule: UNINSTALLED[table], uid, what: `${table} ${String(row['name'])}`, expected };
    }
}

/** The balancer of an OvnDnatRule has the rule's name: somebody else's may have it as well. */
const isNamedByPerson = (cluster: Cluster, uid: string): boolean =>
  cluster.labels.get(uid)?.owners.some((it) => it.kind === 'OvnDnatRule') === true;

/** Rows that others refer to by uuid, and names that stand in matches. */
function namesIn(cluster: Cluster): ReadonlySet<string> {
  const found = new Set<string>();
  for (const table of ['Logical_Router', 'Logical_Switch'])
    for (const row of cluster.rows(table).values())
      for (const it of uuidsOf(row['load_balancer'])) found.add(it);
  for (const row of cluster.rows('Logical_Router_Port').values())
    for (const it of uuidsOf(row['ha_chassis_group'])) found.add(it);
  for (const table of ['ACL', 'Logical_Router_Policy'])
    for (const row of cluster.rows(table).values())
      for (const [, name] of String(row['match']).matchAll(/[$@]([\w.]+)/g)) found.add(name!);
  return found;
}
