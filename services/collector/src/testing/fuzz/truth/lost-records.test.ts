import { type DatabaseSchema } from '@ovn-steward/ovsdb';
import { random } from '@ovn-steward/systems/testing/kube-ovn/random';
import { recordedDatabase } from '@ovn-steward/systems/testing/recorded-northbound';
import type { Cluster } from '../cluster';
import { createCluster } from '../create-cluster';
import { createDelivery, type Delivery } from '../feeds/delivery';
import { RELEASES } from '../kube-ovn/releases';
import { LostRecords } from './lost-records';

const SETS = 'kubernetes/StatefulSet';

let schema: DatabaseSchema;
beforeAll(async () => {
  ({ schema } = await recordedDatabase('leaky'));
});

/** A set of two pods with the record of the second, and what happens to them. */
function stage(): {
  readonly telling: Delivery;
  readonly wants: (replicas: number) => void;
  readonly lose: () => void;
  /** Tells what can be told now, and says which rules may speak of the record. */
  readonly look: () => readonly string[];
} {
  const cluster: Cluster = createCluster(random(1), schema, RELEASES[0]!);
  const telling = createDelivery(cluster.database, cluster.objects);
  const lost = new LostRecords(cluster, telling);
  const it = {
    telling,
    wants: (replicas: number) => {
      cluster.put({
        kind: 'StatefulSet',
        metadata: { name: 'db', namespace: 'shop' },
        spec: { replicas },
      });
    },
    lose: () => cluster.objects.remove('IP', undefined, 'db-1.shop'),
    look: () => {
      cluster.now += 1000;
      const said = [...lost.look()].map(({ rule }) => rule);
      telling.changes(cluster.now);
      return said;
    },
  };
  it.wants(2);
  const { metadata } = cluster.put({
    kind: 'IP',
    metadata: { name: 'db-1.shop' },
    spec: { ipAddress: '10.17.0.9' },
  });
  cluster.labels.set({
    kind: 'IP',
    uid: metadata.uid,
    name: metadata.name,
    by: 'kube-ovn',
    owners: [{ kind: 'Ordinal', namespace: 'shop', name: 'db', ordinal: 1 }],
    addresses: [],
  });
  it.look();
  return it;
}

test('a record that goes while its set wants it is lost', () => {
  const { lose, look } = stage();
  lose();
  expect(look()).toEqual(['kept-address-lost']);
});

test.each(['before', 'after'])(
  'it is not, once its set wanted less for a while, and it went %s that was told',
  (when) => {
    const { lose, look, wants } = stage();
    if (when === 'before') lose();
    look();
    wants(1);
    look();
    if (when === 'after') lose();
    look();
    wants(2);
    expect(look()).toEqual([]);
  },
);

test.each([
  ['sets cannot be read', (it: Delivery) => it.lose(SETS, 'forbidden', 0)],
  ['the watch of sets hangs', (it: Delivery) => it.lag(SETS, Date.UTC(2026, 0, 5))],
])('nobody knows that its set wanted less while %s, if they are listed again', (_, stop) => {
  for (const when of ['before', 'between']) {
    const { telling, lose, look, wants } = stage();
    if (when === 'before') lose();
    look();
    stop(telling);
    wants(1);
    look();
    if (when === 'between') lose();
    look();
    wants(2);
    expect([when, look()]).toEqual([when, ['kept-address-lost']]);
    telling.relist(SETS, Date.UTC(2026, 0, 6));
    expect([when, look()]).toEqual([when, ['kept-address-lost']]);
    wants(1);
    expect([when, look()]).toEqual([when, []]);
  }
});

test('a watch that hung and goes on tells that its set wanted less', () => {
  const { telling, lose, look, wants } = stage();
  lose();
  look();
  telling.lag(SETS, Date.UTC(2026, 0, 5));
  wants(1);
  look();
  wants(2);
  look();
  telling.resume(SETS);
  expect(look()).toEqual([]);
});

test('a list that shows that its set wants less ends it', () => {
  const { telling, lose, look, wants } = stage();
  lose();
  telling.lose(SETS, 'unreachable', 0);
  wants(1);
  look();
  telling.relist(SETS, Date.UTC(2026, 0, 6));
  expect(look()).toEqual([]);
});
