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
  readonly delivery: Delivery;
  readonly wants: (replicas: number) => void;
  readonly lose: () => void;
  /** Reports what can be reported now, and returns which rules may speak of the record. */
  readonly evaluate: () => readonly string[];
} {
  const cluster: Cluster = createCluster(random(1), schema, RELEASES[0]!);
  const delivery = createDelivery(cluster.database, cluster.objects);
  const lost = new LostRecords(cluster, delivery);
  const scenario = {
    delivery,
    wants: (replicas: number) => {
      cluster.put({
        kind: 'StatefulSet',
        metadata: { name: 'db', namespace: 'shop' },
        spec: { replicas },
      });
    },
    lose: () => cluster.objects.remove('IP', undefined, 'db-1.shop'),
    evaluate: () => {
      cluster.now += 1000;
      const said = [...lost.evaluate()].map(({ rule }) => rule);
      delivery.changes(cluster.now);
      return said;
    },
  };
  scenario.wants(2);
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
  scenario.evaluate();
  return scenario;
}

test('a record that goes while its set wants it is lost', () => {
  const { lose, evaluate } = stage();
  lose();
  expect(evaluate()).toEqual(['kept-address-lost']);
});

test.each(['before', 'after'])(
  'it is not, once its set wanted less for a while, and it went %s that was reported',
  (when) => {
    const { lose, evaluate, wants } = stage();
    if (when === 'before') lose();
    evaluate();
    wants(1);
    evaluate();
    if (when === 'after') lose();
    evaluate();
    wants(2);
    expect(evaluate()).toEqual([]);
  },
);

test.each([
  ['sets cannot be read', (it: Delivery) => it.lose(SETS, 'forbidden', 0)],
  ['the watch of sets hangs', (it: Delivery) => it.lag(SETS, Date.UTC(2026, 0, 5))],
])('nobody knows that its set wanted less while %s, if they are listed again', (_, stop) => {
  for (const when of ['before', 'between']) {
    const { delivery, lose, evaluate, wants } = stage();
    if (when === 'before') lose();
    evaluate();
    stop(delivery);
    wants(1);
    evaluate();
    if (when === 'between') lose();
    evaluate();
    wants(2);
    expect([when, evaluate()]).toEqual([when, ['kept-address-lost']]);
    delivery.relist(SETS, Date.UTC(2026, 0, 6));
    expect([when, evaluate()]).toEqual([when, ['kept-address-lost']]);
    wants(1);
    expect([when, evaluate()]).toEqual([when, []]);
  }
});

test('a watch that hung and goes on reports that its set wanted less', () => {
  const { delivery, lose, evaluate, wants } = stage();
  lose();
  evaluate();
  delivery.lag(SETS, Date.UTC(2026, 0, 5));
  wants(1);
  evaluate();
  wants(2);
  evaluate();
  delivery.resume(SETS);
  expect(evaluate()).toEqual([]);
});

test('a list that shows that its set wants less ends it', () => {
  const { delivery, lose, evaluate, wants } = stage();
  lose();
  delivery.lose(SETS, 'unreachable', 0);
  wants(1);
  evaluate();
  delivery.relist(SETS, Date.UTC(2026, 0, 6));
  expect(evaluate()).toEqual([]);
});
