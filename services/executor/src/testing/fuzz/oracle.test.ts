import { operation as op } from '@ovn-steward/ovsdb';
import { createAnalyzer } from './analyze';
import { ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { type Cluster, named, rowsOf } from './cluster';
import { createCluster } from './create-cluster';
import { reasonToKeep } from './oracle';
import { others } from './others';
import { random } from '@ovn-steward/systems/testing/kube-ovn/random';

test('what the rules call garbage the oracle calls garbage, in whatever state the others left the cluster', async () => {
  const disagreements: string[] = [];
  const rules = new Set<string>();
  for (let seed = 1; seed <= 60; seed++) {
    const cluster = await createCluster(random(seed));
    for (let step = 0; step < 80; step++) others(cluster);
    for (const { rule, remedy, summary } of createAnalyzer(cluster).findings()) {
      rules.add(rule);
      const reason = reasonToKeep(cluster, remedy.target);
      if (reason !== undefined) disagreements.push(`${rule}: ${summary}, yet ${reason}`);
    }
  }
  expect(disagreements).toEqual([]);
  expect([...rules].sort()).toEqual(
    expect.arrayContaining([
      'leaked-ip',
      'orphaned-address-set',
      'orphaned-dhcp-options',
      'orphaned-logical-router-policy',
      'orphaned-logical-router-port',
      'orphaned-logical-switch-port',
      'orphaned-port-group',
      'stale-load-balancer-vip',
      'stale-port-group-member',
      'stuck-ip-deletion',
    ]),
  );
});

describe('the oracle keeps', () => {
  const PORT = '00000000-0000-4000-8000-00000000aaaa';
  let cluster: Cluster;
  const kept = (): string | undefined =>
    reasonToKeep(cluster, {
      source: 'ovn-nb',
      kind: 'Logical_Switch_Port',
      uid: PORT,
      name: 'web-0.shop',
    });
  beforeEach(async () => {
    cluster = await createCluster(random(1));
    const holder = named(cluster, 'Logical_Switch', 'apps')!;
    cluster.write(
      op.insert(
        'Logical_Switch_Port',
        { name: 'web-0.shop', external_ids: ours({ ls: 'apps', pod: 'shop/web-0' }) },
        PORT,
      ),
      op.mutate('Logical_Switch', op.byUuid(holder), [['ports', 'insert', op.uuid(PORT)]]),
    );
    expect(kept()).toBeUndefined();
  });

  it.each<[string, (it: Cluster) => unknown]>([
    [
      'its pod',
      ({ kubernetes }) =>
        kubernetes.put({ kind: 'Pod', metadata: { name: 'web-0', namespace: 'shop' } }),
    ],
    [
      'its machine',
      ({ kubernetes }) =>
        kubernetes.put({ kind: 'VirtualMachine', metadata: { name: 'web-0', namespace: 'shop' } }),
    ],
    [
      'a set that wants it',
      ({ kubernetes }) =>
        kubernetes.put({
          kind: 'StatefulSet',
          metadata: { name: 'web', namespace: 'shop' },
          spec: { replicas: 1 },
        }),
    ],
    [
      'a reserved address',
      ({ kubernetes }) =>
        kubernetes.put({
          kind: 'IP',
          metadata: { name: 'web-0.shop', labels: { 'ovn.kubernetes.io/ip_reserved': 'true' } },
          spec: {},
        }),
    ],
    [
      'a chassis',
      ({ write }) => write(op.update('Logical_Switch_Port', op.byUuid(PORT), { up: true })),
    ],
    [
      'a foreign key',
      ({ write }) =>
        write(
          op.mutate('Logical_Switch_Port', op.byUuid(PORT), [
            ['external_ids', 'insert', op.map([['neutron:port_id', 'x']])],
          ]),
        ),
    ],
    [
      'a mark',
      ({ write }) =>
        write(
          op.mutate('Logical_Switch_Port', op.byUuid(PORT), [
            ['external_ids', 'insert', op.map([['ovn-steward.dev/protect', 'x']])],
          ]),
        ),
    ],
    [
      'somebody else’s group',
      ({ write }) =>
        write(
          op.mutate(
            'Port_Group',
            [['name', '==', 'pg_by_hand']],
            [['ports', 'insert', op.uuid(PORT)]],
          ),
        ),
    ],
    [
      'somebody else’s switch',
      ({ write }) =>
        write(
          op.mutate(
            'Logical_Switch',
            [['name', '==', 'by-hand']],
            [['ports', 'insert', op.uuid(PORT)]],
          ),
        ),
    ],
  ])('a port for %s', (_, happen) => {
    happen(cluster);
    expect(kept()).toEqual(expect.any(String));
  });

  it.each<[string, string | undefined, object]>([
    ['of a pod that its policy takes', undefined, {}],
    ['of a pod that its policy takes by a label', 'web', { matchLabels: { app: 'web' } }],
    ['without its pod', '', {}],
  ])('a member %s', (_, app, podSelector) => {
    const group = '00000000-0000-4000-8000-00000000bbbb';
    const member = (): string | undefined =>
      reasonToKeep(cluster, {
        source: 'ovn-nb',
        kind: 'Port_Group',
        uid: group,
        name: 'allow.shop',
        part: { column: 'ports', key: PORT },
      });
    cluster.write(
      op.insert(
        'Port_Group',
        { name: 'allow.shop', ports: op.uuid(PORT), external_ids: ours({ np: 'shop/allow' }) },
        group,
      ),
    );
    if (app !== '')
      cluster.kubernetes.put({
        kind: 'Pod',
        metadata: {
          name: 'web-0',
          namespace: 'shop',
          ...(app !== undefined && { labels: { app } }),
        },
      });
    cluster.kubernetes.put({
      kind: 'NetworkPolicy',
      metadata: { name: 'allow', namespace: 'shop' },
      spec: { podSelector },
    });
    expect(member()).toEqual(expect.any(String));
    cluster.kubernetes.put({
      kind: 'Pod',
      metadata: { name: 'web-0', namespace: 'shop', labels: { app: 'db' } },
    });
    cluster.kubernetes.put({
      kind: 'NetworkPolicy',
      metadata: { name: 'allow', namespace: 'shop' },
      spec: { podSelector: { matchLabels: { app: 'web' } } },
    });
    expect(member()).toBeUndefined();
  });

  it('everything of anybody else, whatever is asked', () => {
    for (const table of cluster.northbound.database.schema.tables.keys()) {
      for (const [uid, row] of rowsOf(cluster, table))
        if (!JSON.stringify(row['external_ids'] ?? '').includes('kube-ovn'))
          expect(reasonToKeep(cluster, { source: 'ovn-nb', kind: table, uid, name: '' })).toEqual(
            expect.any(String),
          );
    }
  });
});
