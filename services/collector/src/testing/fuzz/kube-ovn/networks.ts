import { type JsonRow, operation as op } from '@ovn-steward/ovsdb';
import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { routerPort, switchPort } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { type Cluster, rowNamed } from '../cluster';
import type { Owner } from '../truth/labels';
import { BLOCKS, macOf } from './ipam';

/** A Subnet that comes and goes, and where it is. */
export interface Network {
  readonly name: string;
  readonly vpc: string;
  readonly block: string;
}

export const NETWORKS: readonly Network[] = [
  { name: 'tenant-a', vpc: 'tenant', block: BLOCKS['tenant-a']! },
  { name: 'guest', vpc: 'ovn-cluster', block: BLOCKS['guest']! },
];

interface Made {
  readonly table: string;
  readonly name: string;
  readonly row: JsonRow;
  readonly owner: Owner;
  readonly holder?: { readonly table: string; readonly uuid: string; readonly column: string };
}

/** A row of Kube-OVN's, with the note for whom. */
export function make(cluster: Cluster, { table, name, row, owner, holder }: Made): string {
  const uid = cluster.random.uuid();
  cluster.write(...add(table, uid, row, holder));
  cluster.labels.set({ kind: table, uid, name, by: 'kube-ovn', owners: [owner], addresses: [] });
  cluster.diary.push(`${table} ${name} made`);
  return uid;
}

/** Takes a row of that name, from its holder or as a root; whether there was one. */
export function take(
  cluster: Cluster,
  table: string,
  name: string,
  holder?: { readonly table: string; readonly name: string; readonly column: string },
): boolean {
  const [uid] = rowNamed(cluster, table, name) ?? [];
  const [from] = holder ? (rowNamed(cluster, holder.table, holder.name) ?? []) : [];
  if (uid === undefined || (holder && from === undefined)) return false;
  cluster.write(
    holder
      ? op.mutate(holder.table, op.byUuid(from!), [[holder.column, 'delete', op.uuid(uid)]])
      : op.remove(table, op.byUuid(uid)),
  );
  cluster.diary.push(`${table} ${name} removed`);
  return true;
}

/**
 * The switch's end of the pair that joins it to its router. It goes with its switch: nobody has to
 * be asked whose it is.
 */
export function makeSwitchPort(cluster: Cluster, { name, vpc }: Network): void {
  const [uuid] = rowNamed(cluster, 'Logical_Switch', name)!;
  const holder = { table: 'Logical_Switch', uuid, column: 'ports' };
  const uid = cluster.random.uuid();
  cluster.write(...add('Logical_Switch_Port', uid, switchPort(vpc, name), holder));
  cluster.diary.push(`Logical_Switch_Port ${name}-${vpc} made`);
}

/** The router's end; not without the router. */
export function makeRouterPort(cluster: Cluster, { name, vpc, block }: Network): boolean {
  const [uuid] = rowNamed(cluster, 'Logical_Router', vpc) ?? [];
  if (uuid === undefined) return false;
  make(cluster, {
    table: 'Logical_Router_Port',
    name: `${vpc}-${name}`,
    row: routerPort(vpc, name, macOf(cluster), `${block}.1/24`),
    owner: { kind: 'Subnet', name },
    holder: { table: 'Logical_Router', uuid, column: 'ports' },
  });
  return true;
}

/** DHCP options of a subnet, by uuid. */
export const dhcpOf = (cluster: Cluster, subnet: string): string[] =>
  [...cluster.rows('DHCP_Options').keys()].filter(
    (it) => cluster.labels.get(it)?.name === `dhcp of ${subnet}`,
  );

export function makeDhcp(cluster: Cluster, { name, block }: Network): void {
  make(cluster, {
    table: 'DHCP_Options',
    name: `dhcp of ${name}`,
    row: { cidr: `${block}.0/24`, external_ids: ours({ ls: name, protocol: 'IPv4' }) },
    owner: { kind: 'Subnet', name },
  });
}

export function dropDhcp(cluster: Cluster, subnet: string): boolean {
  const found = dhcpOf(cluster, subnet);
  for (const it of found) cluster.write(op.remove('DHCP_Options', op.byUuid(it)));
  return found.length > 0;
}
