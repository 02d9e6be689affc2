import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { isProposal } from '../findings/proposal';
import { finding, NOW } from '../testing/findings';
import type { StateFile } from '@ovn-steward/shared/log/state-file';
import { stateFileBed } from '../testing/state-file-bed';
import { ExecutorStore, type AppliedSteps, type StoreStep } from './executor-store';

let file: StateFile;
let store: ExecutorStore;
const { reopen } = stateFileBed((opened) => {
  file = opened;
  store = new ExecutorStore(opened);
});

const standing = (it: Finding): StoreStep => ({ stands: it, proposal: isProposal(it) ? it : null });
let next = 0n;
const apply = (steps: readonly StoreStep[], partition = 0): AppliedSteps =>
  store.apply({ partition, steps, next: (next += 1n), at: NOW.getTime() });
const proposed = (partitions: Iterable<number> = [0]): string[] =>
  store
    .proposals(partitions)
    .map((it) => `${it.cluster} ${it.rule} ${it.subject.name} ${it.revision}`);

const A = finding('a');
const B = finding('b');
const RESOLVED: Partial<Finding> = { state: 'resolved', resolvedAt: NOW.toISOString() };

test('keeps proposals with the position, over a restart', () => {
  expect(store.position(0)).toBeUndefined();
  expect(
    store.apply({ partition: 0, steps: [standing(A)], next: 12345678901234567890n, at: 5 }),
  ).toEqual({ proposed: [A], withdrawn: [] });
  reopen();
  expect(store.proposals([0])).toEqual([A]);
  expect(store.position(0)).toEqual({ next: 12345678901234567890n, at: 5 });
});

test('keeps the doubt of the newest record alone, over a restart', () => {
  apply([standing({ ...A, remedy: null, doubt: 'who knows', revision: 3 }), standing(B)]);
  reopen();
  expect([store.doubtOf(0, A.id), store.doubtOf(0, B.id)]).toEqual(['who knows', undefined]);
  expect([store.doubtOf(1, A.id), store.doubtOf(0, 'none')]).toEqual([undefined, undefined]);
  apply([standing(A)]);
  expect(store.doubtOf(0, A.id)).toBe('who knows');
  apply([standing({ ...A, revision: 4 })]);
  expect(store.doubtOf(0, A.id)).toBeUndefined();
});

test('asked the same again they are the same objects, until something changes', () => {
  apply([standing(A)]);
  const first = store.proposals([0]);
  expect(store.proposals([0])).toBe(first);
  expect(store.proposals([0], { rule: 'other' })).toEqual([]);
  expect(store.proposals([1])).toEqual([]);
  expect(store.proposals([0])).toEqual([A]);
  apply([standing(B)]);
  expect(store.proposals([0])).toHaveLength(2);
  apply([{ forgotten: A.id }]);
  expect(store.proposals([0])).toEqual([B]);
  store.forget(0);
  expect(store.proposals([0])).toEqual([]);
});

test('a batch that cannot be written leaves nothing behind', () => {
  const endless = {
    ...B,
    toJSON: () => {
      throw new Error('cannot be written');
    },
  };
  expect(() => apply([standing(A), { stands: endless, proposal: endless as never }])).toThrow(
    'cannot be written',
  );
  expect([proposed(), store.position(0)]).toEqual([[], undefined]);
});

test('says what changed in the end, not on the way', () => {
  apply([standing(A)]);
  const resolvedB = { ...B, ...RESOLVED, revision: 3 };
  const newA = { ...A, revision: 3, summary: 'more' };
  expect(apply([standing(B), standing(resolvedB), standing(newA)])).toEqual({
    proposed: [newA],
    withdrawn: [],
  });
  expect(apply([standing({ ...A, ...RESOLVED, revision: 4 })])).toEqual({
    proposed: [],
    withdrawn: [{ id: A.id, cluster: A.cluster, rule: A.rule }],
  });
  expect(apply([standing(newA)])).toEqual({ proposed: [], withdrawn: [] });
});

test('a revision that comes late brings nothing back, until the finding was forgotten', () => {
  apply([standing(A), standing({ ...A, ...RESOLVED, revision: 7 })]);
  apply([standing({ ...A, revision: 6 })]);
  expect(proposed()).toEqual([]);
  apply([{ forgotten: A.id }, standing({ ...A, revision: 1 })]);
  expect(proposed()).toEqual(['berlin-1 orphaned-logical-switch-port a 1']);
  expect(apply([{ forgotten: A.id }]).withdrawn).toHaveLength(1);
  expect(proposed()).toEqual([]);
});

test('what is not understood is no proposal, and withdraws an older one', () => {
  apply([standing(A)]);
  const { withdrawn } = apply([
    { stands: { id: A.id, cluster: A.cluster, revision: 3 }, proposal: null },
  ]);
  expect([withdrawn, proposed()]).toEqual([[{ id: A.id, cluster: A.cluster, rule: A.rule }], []]);
});

test('gives them by cluster and rule, of the partitions asked for', () => {
  const leak = finding('l', { rule: 'leaked-ip' });
  const other = finding('o', { cluster: 'athens' });
  apply([standing(A), standing(leak), standing(B)]);
  apply([standing(other)], 5);
  expect(proposed([0, 5]).map((it) => it.split(' ').slice(0, 2).join(' '))).toEqual([
    'athens orphaned-logical-switch-port',
    'berlin-1 leaked-ip',
    'berlin-1 orphaned-logical-switch-port',
    'berlin-1 orphaned-logical-switch-port',
  ]);
  expect(proposed([5])).toHaveLength(1);
  expect(proposed([])).toEqual([]);
  expect(store.proposals([0, 5], { cluster: 'berlin-1', rule: 'leaked-ip' })).toEqual([leak]);
  expect(store.counts([0, 5])).toEqual([
    { cluster: 'athens', rule: 'orphaned-logical-switch-port', count: 1 },
    { cluster: 'berlin-1', rule: 'leaked-ip', count: 1 },
    { cluster: 'berlin-1', rule: 'orphaned-logical-switch-port', count: 2 },
  ]);
});

test('forgets one partition, or all', () => {
  apply([standing(A)]);
  apply([standing(finding('o', { cluster: 'athens' }))], 5);
  store.forget(5);
  expect([proposed([0, 5]).length, store.position(5), store.position(0)]).toEqual([
    1,
    undefined,
    expect.anything(),
  ]);
  store.forget();
  expect([proposed([0, 5]), store.position(0)]).toEqual([[], undefined]);
});

test('keys from outside are values to it, whatever they are called', () => {
  const odd = { ...A, id: '__proto__', rule: "x'; DROP TABLE finding; --" };
  apply([standing(odd), { forgotten: 'constructor' }]);
  expect(store.proposals([0], { rule: odd.rule })).toEqual([odd]);
});

test('another version’s memory is built again', () => {
  apply([standing(A)]);
  file.db.exec('UPDATE part SET version = 99');
  reopen();
  expect([proposed(), store.position(0)]).toEqual([[], undefined]);
});

test('the same revision that comes again is taken: a log that was replaced may say more', () => {
  apply([standing(A)]);
  const more = { ...A, summary: 'in other words' };
  apply([standing(more)]);
  expect(store.proposals([0]).map((it) => it.summary)).toEqual(['in other words']);
});

test('what stands in one partition says nothing of another', () => {
  const older = { ...A, revision: A.revision };
  apply([standing({ ...A, revision: A.revision + 5 })], 1);
  expect(apply([standing(older)], 0).proposed).toHaveLength(1);
  expect([proposed([0]), proposed([1]), proposed([0, 1])].map((it) => it.length)).toEqual([
    1, 1, 2,
  ]);
  store.forget(0);
  expect([proposed([0]), proposed([1])].map((it) => it.length)).toEqual([0, 1]);
  expect(store.position(1)).toBeDefined();
});
