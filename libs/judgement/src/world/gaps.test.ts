import type { Change } from '@ovn-steward/contracts/changes/change';
import { contentHash, SetDigest } from '@ovn-steward/contracts/identity/ids';
import { cell } from './cell';
import type { WorldInput, Unreadable } from './world-input';
import { World } from './world';

const STREAM = 'kubernetes/Vpc';
const object = (label = '') => ({ metadata: { name: 'v', label } });
const base = (seq: number, epoch = 1) => ({
  version: 1 as const,
  id: `${epoch}-${seq}`,
  cluster: 'c',
  source: 'kubernetes' as const,
  stream: STREAM,
  epoch,
  seq,
  cursor: '',
  observedAt: '2026-01-01T00:00:00Z',
});
const put = (seq: number, uid: string, label = '', epoch = 1): Change => ({
  type: 'put',
  ...base(seq, epoch),
  kind: 'Vpc',
  uid,
  name: 'v',
  object: object(label),
  hash: contentHash(object(label)),
});
const remove = (seq: number, uid: string): Change => ({
  type: 'delete',
  ...base(seq),
  kind: 'Vpc',
  uid,
  name: 'v',
});
const omitted = (seq: number, uid: string, label: string): Change => ({
  type: 'omitted',
  ...base(seq),
  kind: 'Vpc',
  uid,
  name: 'v',
  bytes: 9_000_000,
  hash: contentHash(object(label)),
});
const end = (seq: number, ...labels: string[]): Change => {
  const digest = new SetDigest();
  labels.forEach((it) => digest.add(contentHash(object(it))));
  return {
    type: 'snapshot-end',
    ...base(seq),
    kinds: ['Vpc'],
    count: digest.count,
    digest: digest.toString(),
  };
};
const unreadable = (uid: string, kind = 'Vpc'): Unreadable => ({
  type: 'unreadable',
  source: 'kubernetes',
  stream: STREAM,
  kind,
  uid,
  at: 'steward.changes.v1/3/42',
  why: 'it is not JSON',
});
const replayed = (change: Change): WorldInput => ({
  type: 'replayed',
  stream: change.stream,
  change,
});
const gone = (seq: number): Change => ({
  type: 'unavailable',
  ...base(seq),
  kinds: ['Vpc'],
  reason: 'forbidden',
  detail: '',
});

const folded = (...reported: WorldInput[]): World => {
  const world = new World([], []);
  reported.forEach((it) => world.fold(it));
  return world;
};
/** `a` is held and the stream complete; then a record about `b` cannot be read. */
const holed = (...more: WorldInput[]): World =>
  folded(put(1, 'a'), end(2, ''), unreadable('b'), ...more);

test('while something of it could not be read, a stream is broken, and says what and how to mend it', () => {
  const world = holed();
  expect(world.knows('Vpc')).toBe(false);
  expect(world.completeness('Vpc')).toEqual({
    state: 'unavailable',
    reason: 'broken',
    detail:
      'kubernetes/Vpc is not known in full: the record steward.changes.v1/3/42 about Vpc b could not be read: it is not JSON. It is known again when each was published again, or replayed as docs/dead-letters.md says',
  });
  expect(holed(unreadable('c')).completeness('Vpc')).toMatchObject({
    detail: expect.stringContaining(
      'could not be read: it is not JSON, and so with one other. It is',
    ),
  });
});

test('those who rest on the kind are notified when it breaks and when it is whole again', () => {
  const world = folded(put(1, 'a'), end(2, ''));
  for (const reported of [unreadable('b'), put(3, 'b')]) {
    world.takeTouched();
    world.fold(reported);
    expect(world.takeTouched().has(cell.known('Vpc'))).toBe(true);
  }
});

test('so they are when the stream first says which kinds it has, and was broken before', () => {
  const world = folded(unreadable('b'));
  world.takeTouched();
  world.fold(end(2, 'b'));
  expect(world.completeness('Vpc')).toMatchObject({ reason: 'broken' });
  expect(world.takeTouched().has(cell.known('Vpc'))).toBe(true);
});

test.each<[string, WorldInput, boolean]>([
  ['a later put of it', put(3, 'b'), true],
  ['a later deletion of it', remove(3, 'b'), true],
  ['the put itself, replayed after others were published', put(3, 'b'), true],
  ['something else', put(5, 'c'), false],
  [
    'a row of another table, which may have its uuid',
    { ...put(3, 'b'), kind: 'Subnet' } as Change,
    false,
  ],
  ['a repeat of what was published before it', put(2, 'b'), false],
  ['a word of a collector that was replaced', put(9, 'b', '', 0), false],
  ['another record that cannot be read', unreadable('b'), false],
  ['a full read that does not add up', end(5, '', '', ''), false],
])('filled by %s: %#', (name, reported, fills) => {
  const world = name.includes('replayed') ? holed(put(4, 'a', 'x'), reported) : holed(reported);
  expect(world.knows('Vpc')).toBe(fills);
});

test('a full read that does not add up leaves it: a later read of what is held does not end it', () => {
  const world = holed(end(3, '', 'b'));
  expect(world.stream(STREAM)?.holes?.map(({ uid }) => uid)).toEqual(['b']);
});

test('filled by a full read that adds up, and by nothing less', () => {
  expect(holed(end(3, '')).knows('Vpc')).toBe(true);
  expect(holed(end(3, '', 'b')).completeness('Vpc')).toMatchObject({ reason: 'broken' });
});

test('a replay that fills a gap is applied, and does not move the stream back', () => {
  const world = holed(put(4, 'a', 'x'), put(3, 'b', 'late'));
  expect(world.entity('Vpc', 'b')?.object).toEqual(object('late'));
  expect(world.stream(STREAM)).toMatchObject({ epoch: 1, seq: 4 });
  world.fold(put(3, 'b', 'again'));
  expect(world.entity('Vpc', 'b')?.object).toEqual(object('late'));
});

test('a replay of the earlier of two unreadable records does not pass for the later', () => {
  expect(
    folded(end(1), unreadable('b'), put(5, 'a'), unreadable('b'), put(2, 'b')).knows('Vpc'),
  ).toBe(false);
});

test('in an old log a replay stands for the record that compaction took', () => {
  const world = folded(put(4, 'a'));
  world.fold(replayed(put(3, 'b')), { checked: false });
  world.fold(replayed(put(2, 'a', 'old')), { checked: false });
  expect([world.count('Vpc'), world.entity('Vpc', 'a')?.object]).toEqual([2, object()]);
  const live = folded(put(4, 'a'), replayed(put(3, 'b')));
  expect(live.count('Vpc')).toBe(1);
});

describe('something too large for the log', () => {
  test('is counted, and keeps the stream broken though everything adds up, until it is reported or gone', () => {
    const world = folded(
      put(1, 'a'),
      put(2, 'b', 'old'),
      omitted(3, 'b', 'huge'),
      end(4, '', 'huge'),
    );
    expect(world.completeness('Vpc')).toMatchObject({
      reason: 'broken',
      detail: expect.stringContaining('Vpc v is too large for the log (9000000 bytes)'),
    });
    expect(world.entity('Vpc', 'b')?.object).toEqual(object('old'));
    world.fold(put(5, 'b', 'small'));
    expect(world.knows('Vpc')).toBe(true);
    world.fold(end(6, '', 'small'));
    expect(world.knows('Vpc')).toBe(true);
  });

  test('goes when it is deleted, held or not', () => {
    for (const before of [[], [put(1, 'b')]])
      expect(folded(...before, omitted(2, 'b', 'huge'), remove(3, 'b'), end(4)).knows('Vpc')).toBe(
        true,
      );
  });

  test('back to what it was, it counts as that', () => {
    expect(folded(put(1, 'b'), omitted(2, 'b', 'huge'), put(3, 'b'), end(4, '')).knows('Vpc')).toBe(
      true,
    );
  });

  test('can be replayed under its own position, once the log takes it', () => {
    expect(
      folded(
        end(1),
        omitted(2, 'b', 'huge'),
        put(3, 'a'),
        put(2, 'b', 'huge'),
        end(4, '', 'huge'),
      ).knows('Vpc'),
    ).toBe(true);
  });
});

test('each of more than a thousand that are too large for the log keeps the stream broken by itself', () => {
  const uids = Array.from({ length: 1003 }, (_, n) => `u${n}`);
  const world = folded(...uids.map((uid, n) => omitted(1 + n, uid, 'huge')));
  world.fold(end(2000, ...uids.map(() => 'huge')));
  uids.slice(0, -2).forEach((uid, n) => world.fold(put(2001 + n, uid)));
  expect(world.completeness('Vpc')).toMatchObject({ reason: 'broken' });
  world.fold(remove(4001, 'u1001'));
  expect(world.knows('Vpc')).toBe(false);
  world.fold(put(4002, 'u1002'));
  expect(world.knows('Vpc')).toBe(true);
  world.fold(end(4003, ...uids.slice(1).map(() => '')));
  expect(world.knows('Vpc')).toBe(true);
});

describe('unreadable news of the stream itself', () => {
  test('it may have said that it is not known: so it is not, until it says the same sort of thing again', () => {
    const lost = unreadable(STREAM, '_unavailable');
    expect(holed(put(3, 'b'), lost).knows('Vpc')).toBe(false);
    expect(holed(put(3, 'b'), lost, gone(4)).completeness('Vpc')).toMatchObject({
      reason: 'forbidden',
    });
    expect(holed(put(3, 'b', 'x'), lost, end(4, '', 'x')).knows('Vpc')).toBe(true);
  });

  const lostEnd = unreadable(STREAM, '_snapshot-end');

  test('a replayed end of a full read does not overrule what was said after it', () => {
    const world = folded(put(1, 'a'), lostEnd, gone(3));
    expect(world.completeness('Vpc')).toMatchObject({ reason: 'forbidden' });
    world.fold(replayed(end(2, '')));
    expect(world.completeness('Vpc')).toMatchObject({ reason: 'forbidden' });
  });

  test('nor does it end a later full read', () => {
    const begin: Change = { type: 'snapshot-begin', ...base(1, 2) };
    const world = folded(put(1, 'a'), lostEnd, begin, replayed(end(2, '')));
    expect(world.knows('Vpc')).toBe(false);
    expect(world.stream(STREAM)).toMatchObject({ isReading: true });
    world.fold({ ...end(2, ''), epoch: 2 });
    expect(world.knows('Vpc')).toBe(true);
  });

  test('replayed while nothing else was said, it ends its own', () => {
    const begin: Change = { type: 'snapshot-begin', ...base(1, 2) };
    const own: Change = { ...end(3, ''), epoch: 2 };
    expect(folded(begin, put(2, 'a', '', 2), lostEnd, replayed(own)).knows('Vpc')).toBe(true);
  });
});

test('what the stream says of itself meanwhile counts when the gap is filled', () => {
  expect(holed(gone(3), put(4, 'b')).completeness('Vpc')).toMatchObject({ reason: 'forbidden' });
});

test('a thousand gaps are remembered one by one, more only as that: a full read fills those', () => {
  const many = Array.from({ length: 1500 }, (_, n) => unreadable(`u${n}`));
  const world = folded(put(1, 'a'), end(2, ''), ...many);
  expect(world.stream(STREAM)?.holes).toHaveLength(1001);
  many.forEach((it, n) => world.fold(put(3 + n, it.uid)));
  expect(world.knows('Vpc')).toBe(false);
  expect(world.completeness('Vpc')).toMatchObject({
    detail: expect.stringContaining('not known in full'),
  });
  world.fold(end(9999, '', ...many.map(() => '')));
  expect(world.knows('Vpc')).toBe(true);
});

test('what a checkpoint held of gaps is put back, and what they count with', () => {
  const before = folded(
    put(1, 'a'),
    put(2, 'b', 'old'),
    omitted(3, 'b', 'huge'),
    omitted(4, 'c', 'more'),
    unreadable('d'),
  );
  const after = new World([], []);
  after.restoreStreams(structuredClone([...before.streams()]));
  after.restoreEntities(before.entities('Vpc'));
  expect(after.knows('Vpc')).toBe(false);
  for (const it of [end(5, '', 'huge', 'more'), remove(6, 'c'), put(7, 'b'), end(8, '', '')])
    after.fold(it);
  expect(after.knows('Vpc')).toBe(true);
});
