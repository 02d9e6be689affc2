import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { action } from '../testing/actions';
import { NOW } from '../testing/findings';
import { foldRecord, type LedgerHead, type UnpublishedRecord } from './fold';
import type { ReadAction } from './read-action';

const T = NOW.toISOString();
const LATER = new Date(NOW.getTime() + 60_000).toISOString();
const IDLE = { state: 'deferred', undo: null, claimedAt: null } as const;
const CLAIMED = { state: 'claimed', at: T, claimedAt: T } as const;
const DONE = { state: 'done', at: LATER, claimedAt: T, endedAt: LATER } as const;

const record = (revision: number, more: Partial<ActionRecord> = {}): ActionRecord =>
  action('a', { revision, ...more });
const read = (entry: ActionRecord, unproven?: boolean): ReadAction => ({
  action: entry,
  text: JSON.stringify(entry),
  ...(unproven !== undefined && { unproven }),
});
const standing = (entry: ActionRecord, unproven = false): LedgerHead => ({
  revision: entry.revision,
  state: entry.state,
  text: JSON.stringify(entry),
  unproven,
});
const waits = (entry: ActionRecord, again = false): UnpublishedRecord => ({
  seq: 7,
  revision: entry.revision,
  again,
  text: JSON.stringify(entry),
});
const stands = (it: ReadAction) => ({ is: 'stands', read: it, publish: false });
const saidAgain = (entry: ActionRecord, revision: number, unproven = false) => {
  const again = { ...entry, revision };
  return { is: 'stands', read: read(again, unproven), publish: !unproven };
};

test('of what nothing is known, whatever is read stands, proven or not', () => {
  const proven = read(record(3));
  const unproven = read(record(3), true);
  expect([foldRecord(undefined, [], proven), foldRecord(undefined, [], unproven)]).toEqual([
    stands(proven),
    stands(unproven),
  ]);
});

test('what is ours and comes back is known, and need not be published any more', () => {
  const mine = record(2, CLAIMED);
  expect(foldRecord(standing(mine), [waits(mine)], read(mine))).toEqual({ is: 'known', seq: 7 });
});

test('what stands is known when it is read once more, and is not said again', () => {
  const entry = record(2, CLAIMED);
  expect(foldRecord(standing(entry), [], read(entry))).toEqual({ is: 'known' });
});

test.each([
  ['a later revision stands', 3, 'stands'],
  ['another record of the same revision came second', 2, 'behind'],
  ['an earlier revision is behind', 1, 'behind'],
])('while nothing waits, %s', (_, revision, is) => {
  const other = read(record(revision, { ...IDLE, reason: 'another' }));
  expect(foldRecord(standing(record(2, IDLE)), [], other)).toMatchObject({ is });
});

test.each([
  ['the same revision', 2],
  ['a later one', 3],
])('what waits is void once the log has %s', (_, revision) => {
  const mine = record(2, CLAIMED);
  const other = read(record(revision, { ...CLAIMED, executor: 'other' }));
  expect(foldRecord(standing(mine), [waits(mine)], other)).toEqual(stands(other));
});

test('an earlier revision leaves what waits as it is', () => {
  const mine = record(2, CLAIMED);
  expect(foldRecord(standing(mine), [waits(mine)], read(record(1, IDLE)))).toEqual({
    is: 'behind',
    repeat: false,
  });
});

test('what only waits to be said again is in the log: another of its revision came second', () => {
  const mine = record(2, IDLE);
  const other = read(record(2, { ...IDLE, reason: 'another' }));
  expect(foldRecord(standing(mine), [waits(mine, true)], other)).toEqual({
    is: 'behind',
    repeat: false,
  });
});

test('over what hides it, what stands is said again, unless nobody is proven to have written it', () => {
  const mine = record(2, IDLE);
  const other = record(1, IDLE);
  expect([
    foldRecord(standing(mine), [], read(other)),
    foldRecord(standing(mine, true), [], read(other, true)),
  ]).toEqual([
    { is: 'behind', repeat: true },
    { is: 'behind', repeat: false },
  ]);
});

test.each(['terminating', 'done', 'undone'] as const)(
  'that it is %s is a fact: it is said again over what does not know it',
  (state) => {
    const done = record(3, { ...DONE, state, endedAt: state === 'terminating' ? null : LATER });
    expect([
      foldRecord(standing(done), [], read(record(5, CLAIMED))),
      foldRecord(standing(record(5, CLAIMED)), [], read(done)),
    ]).toEqual([saidAgain(done, 6), saidAgain(done, 6)]);
  },
);

test('of two that say so the later stands', () => {
  const undone = read(record(4, { ...DONE, state: 'undone' }));
  expect(foldRecord(standing(record(3, DONE)), [], undone)).toEqual(stands(undone));
});

test('a fact nobody is proven to have written is kept, and not published in our name', () => {
  const done = record(3, DONE);
  const claimed = record(5, CLAIMED);
  expect(foldRecord(standing(claimed, true), [], read(done, true))).toEqual(
    saidAgain(done, 6, true),
  );
});

test('what is proven replaces what is not, whatever its revision', () => {
  const proven = read(record(1, IDLE));
  expect(foldRecord(standing(record(9, DONE), true), [], proven)).toEqual(stands(proven));
});

test.each([
  ['what is claimed', record(2, CLAIMED), []],
  ['what is done', record(2, DONE), []],
  ['a claim that is only said again', record(2, CLAIMED), [waits(record(2, CLAIMED), true)]],
  ['the end of a claim that waits', record(3, DONE), [waits(record(3, DONE))]],
  [
    'a claim that is gone on with',
    record(3, { ...CLAIMED, at: LATER }),
    [waits(record(3, { ...CLAIMED, at: LATER }))],
  ],
])('what nobody is proven to have written does not replace %s', (_, known, waiting) => {
  const forged = read(record(9, { ...IDLE, reason: 'forged' }), true);
  expect(foldRecord(standing(known), waiting, forged)).toEqual({ is: 'refused' });
});

test('but by undone: that only keeps a thing from being removed again', () => {
  const undone = read(record(9, { ...DONE, state: 'undone' }), true);
  expect(foldRecord(standing(record(2, DONE)), [], undone)).toEqual(stands(undone));
});

test.each([
  ['what was never claimed', record(2, IDLE), []],
  ['a claim that is not in the log yet', record(2, CLAIMED), [waits(record(2, CLAIMED))]],
])('and %s gives way to it, so that nobody acts beside another', (_, known, waiting) => {
  const other = read(record(9, { ...IDLE, reason: 'another' }), true);
  expect(foldRecord(standing(known), waiting, other)).toEqual(stands(other));
});
