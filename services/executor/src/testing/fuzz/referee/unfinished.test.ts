import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { EXECUTOR_ACTIONS } from '../../../actions/registry';
import { type Cluster } from '../cluster';
import { createCluster } from '../create-cluster';
import { random } from '@ovn-steward/systems/testing/kube-ovn/random';
import { isDoneTooEarly, unfinished } from './unfinished';

let cluster: Cluster;
let goneSince: number | undefined;
beforeEach(async () => {
  const made = await createCluster(random(1));
  cluster = { ...made, controller: { ...made.controller, goneSince: () => goneSince } };
  goneSince = 1000;
});

const about = (target: object, state = 'claimed'): ActionRecord =>
  ({
    state,
    target: { source: 'kubernetes', kind: 'IP', uid: 'u', name: 'x', ...target },
  }) as ActionRecord;

test('nobody finishes what a controller would have to, half a minute after the last one went', () => {
  expect(unfinished(cluster, about({}), 31_000)).toBeUndefined();
  expect(unfinished(cluster, about({}), 31_001)).toMatch(/no controller has been there for 30 s/);
  goneSince = undefined;
  expect(unfinished(cluster, about({}), 1e9)).toBeUndefined();
});

test.each<[string, object]>([
  ['a row', { source: 'ovn-nb' }],
  ['a part of an object', { part: { column: 'metadata.finalizers', key: 'x' } }],
  ['a kind without a controller to finish it', { kind: 'Pod' }],
])('%s needs none', (_, target) => {
  expect(unfinished(cluster, about(target), 1e9)).toBeUndefined();
});

const deleting = EXECUTOR_ACTIONS.filter((it) => it.verb === 'delete' || it.verb === 'evict');
test.each(deleting)(
  '$id is begun only beside a controller where one has to finish it',
  (action) => {
    for (const kind of action.kinds)
      expect([kind, unfinished(cluster, about({ kind }), 1e9) !== undefined]).toEqual([
        kind,
        action.finishedBy === 'kube-ovn',
      ]);
  },
);

test('what is reported as done and is there still was reported too early', () => {
  const { name, uid } = cluster.kubernetes.objects('IP')[0]!.metadata;
  expect(isDoneTooEarly(cluster, about({ name, uid }, 'done'))).toBe(true);
  expect(isDoneTooEarly(cluster, about({ name, uid }, 'terminating'))).toBe(false);
  expect(isDoneTooEarly(cluster, about({ name, uid: 'another' }, 'done'))).toBe(false);
  const part = { column: 'metadata.finalizers', key: 'x' };
  expect(isDoneTooEarly(cluster, about({ name, uid, part }, 'done'))).toBe(false);
});

test('so is a row that is reported as gone, unless it is being put back', () => {
  const [uid] = [...cluster.northbound.database.rows('Logical_Switch_Port').keys()] as [string];
  const row = (more: object): ActionRecord => ({
    ...about({ source: 'ovn-nb', kind: 'Logical_Switch_Port', uid }, 'done'),
    ...more,
  });
  expect(isDoneTooEarly(cluster, row({ code: 'settled' }))).toBe(true);
  expect(isDoneTooEarly(cluster, row({ code: 'done' }))).toBe(true);
  expect(isDoneTooEarly(cluster, row({ code: 'undoing' }))).toBe(false);
  expect(isDoneTooEarly(cluster, row({ code: 'unsent', state: 'deferred' }))).toBe(false);
});
