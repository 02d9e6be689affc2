import { type Json, operation as op } from '@ovn-steward/ovsdb';
import { add } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { type Cluster, rowNamed, uuidsOf } from '../cluster';

const neutronKeys = (ids: Readonly<Record<string, string>>): Json =>
  op.map(Object.entries(ids).map(([key, value]) => [`neutron:${key}`, value] as const));

/**
 * A network with a port and a security group, as Neutron writes them (ovn-northbound.md §2.1,
 * §2.3).
 */
export function neutron(cluster: Cluster): void {
  createNetwork(cluster);
  createGroup(cluster);
}

export function createNetwork(cluster: Cluster): void {
  const { random } = cluster;
  cluster.write(
    ...add('Logical_Switch', random.uuid(), {
      name: `neutron-${random.uuid()}`,
      external_ids: neutronKeys({
        network_name: random.pick(['tenant', 'apps']),
        mtu: '1442',
        revision_number: '1',
      }),
      other_config: op.map([['mcast_snoop', 'false']]),
    }),
  );
  cluster.diary.push('Neutron made a network');
}

const networks = (cluster: Cluster): string[] =>
  [...cluster.rows('Logical_Switch')]
    .filter(([, row]) => String(row['name']).startsWith('neutron-'))
    .map(([uuid]) => uuid);
const groups = (cluster: Cluster): string[] =>
  [...cluster.rows('Port_Group')]
    .filter(([, row]) => String(row['name']).startsWith('pg_'))
    .map(([uuid]) => uuid);

/** A port of a tenant's machine: its names are uuids, its address may be one of Kube-OVN's. */
export function createPort(cluster: Cluster): void {
  const { random } = cluster;
  const holder = random.maybe(networks(cluster));
  if (holder === undefined) return;
  const name = random.uuid();
  cluster.write(
    ...add(
      'Logical_Switch_Port',
      random.uuid(),
      {
        name,
        addresses: `fa:16:3e:00:00:${(16 + random.int(200)).toString(16)} 10.17.0.${2 + random.int(20)}`,
        up: random.chance(0.5),
        external_ids: neutronKeys({
          device_id: random.uuid(),
          device_owner: 'compute:nova',
          revision_number: '3',
        }),
      },
      { table: 'Logical_Switch', uuid: holder, column: 'ports' },
    ),
  );
  cluster.diary.push(`Neutron made port ${name}`);
}

export function dropForeignPort(cluster: Cluster): void {
  const { random } = cluster;
  const holder = random.maybe(networks(cluster));
  const port =
    holder === undefined
      ? undefined
      : random.maybe(uuidsOf(cluster.rows('Logical_Switch').get(holder)!['ports']));
  if (holder === undefined || port === undefined) return;
  for (const it of [port, holder]) cluster.damage.remove(it, cluster.now);
  cluster.write(
    op.mutate('Logical_Switch', op.byUuid(holder), [['ports', 'delete', op.uuid(port)]]),
  );
  cluster.diary.push('Neutron removed a port');
}

export function createGroup(cluster: Cluster): void {
  const { random } = cluster;
  const id = random.uuid();
  const group = random.uuid();
  const acl = random.uuid();
  const name = `pg_${id.replaceAll('-', '_')}`;
  cluster.write(
    ...add('Port_Group', group, { name, external_ids: neutronKeys({ security_group_id: id }) }),
    ...add(
      'ACL',
      acl,
      {
        direction: 'to-lport',
        priority: 1002,
        match: `outport == @${name} && ip4`,
        action: 'allow-related',
        external_ids: neutronKeys({ security_group_rule_id: random.uuid() }),
      },
      { table: 'Port_Group', uuid: group, column: 'acls' },
    ),
  );
  cluster.diary.push('Neutron made a group');
}

export function dropGroup(cluster: Cluster): void {
  const group = cluster.random.maybe(groups(cluster));
  if (group === undefined) return;
  cluster.damage.remove(group, cluster.now);
  cluster.write(op.remove('Port_Group', op.byUuid(group)));
  cluster.diary.push('Neutron removed a group');
}

/** Neutron's maintenance writes into rows of Kube-OVN (kube-ovn-live.md, NEW 9). */
export function maintain(cluster: Cluster): void {
  for (const name of ['apps', 'data']) {
    const [uuid] = rowNamed(cluster, 'Logical_Switch', name) ?? [];
    if (uuid === undefined) continue;
    cluster.write(
      op.update('Logical_Switch', op.byUuid(uuid), {
        other_config: op.map([
          ['mcast_snoop', 'false'],
          ['mcast_flood_unregistered', 'false'],
        ]),
      }),
    );
  }
  cluster.diary.push('Neutron wrote into the switches of Kube-OVN');
}
