import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { ALL_KINDS, type Knowledge, Suspicions } from './suspicions';

const GRACE = 10;
const at = (ms: number): string => new Date(ms).toISOString();
const finding = (id: string, since: number, state: Finding['state'] = 'suspected'): Finding =>
  ({ id, state, firstSeen: at(since) }) as Finding;

const known = (watermark: string, lastCatchUp = ''): Knowledge => ({ watermark, lastCatchUp });

let suspicions: Suspicions;
/** Ids that are due when all sources are known up to then. */
const due = (watermark: string, of = suspicions): string[] =>
  of.due(Date.parse(watermark), () => known(watermark)).map(([id]) => id);
beforeEach(() => {
  suspicions = new Suspicions(() => GRACE);
  suspicions.update(finding('a', 0));
  suspicions.update(finding('b', 5));
});

test('each is due when its grace has passed, and not before', () => {
  expect(['', at(9), at(10), at(14), at(15)].map((it) => due(it))).toEqual([
    [],
    [],
    ['a'],
    ['a'],
    ['a', 'b'],
  ]);
});

test('what is not known as far as the last catch-up is due ten minutes after its grace', () => {
  const dueAt = (through: number, caughtUpAt: number): string[] =>
    suspicions.due(through, () => known(at(through), at(caughtUpAt))).map(([id]) => id);
  expect([dueAt(20, 21), dueAt(20, 20)]).toEqual([[], ['a', 'b']]);
  expect([dueAt(600_009, 700_000), dueAt(600_010, 700_000)]).toEqual([[], ['a']]);
});

test('before its grace can have passed nobody asks how much is known', () => {
  const never = (): Knowledge => {
    throw new Error('asked');
  };
  expect(suspicions.due(GRACE - 1, never)).toEqual([]);
  expect(() => suspicions.due(GRACE, never)).toThrow('asked');
});

test('without a grace it is due once time went on', () => {
  const none = new Suspicions(() => 0);
  none.update(finding('a', 5));
  expect([due(at(5), none), due(at(6), none)]).toEqual([[], ['a']]);
});

test('what is confirmed or resolved is no suspicion', () => {
  suspicions.update(finding('a', 0, 'confirmed'));
  suspicions.update(finding('b', 5, 'resolved'));
  expect([suspicions.size, due(at(99))]).toEqual([0, []]);
});

test('what begins again comes after those that began before', () => {
  suspicions.update(finding('a', 6));
  expect([due(at(15)), due(at(16))]).toEqual([['b'], ['b', 'a']]);
});

test('what is recorded again is where it was', () => {
  suspicions.update(finding('a', 0));
  expect(due(at(10))).toEqual(['a']);
});

test('what is paused is not due until it is recorded again', () => {
  suspicions.pause('a');
  expect([
    suspicions.observeSense('a', undefined),
    suspicions.observeSense('b', undefined),
  ]).toEqual([true, false]);
  expect(due(at(15))).toEqual(['b']);
  suspicions.update(finding('a', 6));
  expect([suspicions.observeSense('a', undefined), due(at(16))]).toEqual([false, ['b', 'a']]);
});

test('what is no suspicion is not paused', () => {
  suspicions.pause('c');
  expect(suspicions.observeSense('c', undefined)).toBe(false);
});

test('all are paused together', () => {
  suspicions.pauseAll();
  expect([
    suspicions.observeSense('a', undefined),
    suspicions.observeSense('b', undefined),
    suspicions.size,
  ]).toEqual([true, true, 0]);
  expect(due(at(99))).toEqual([]);
});

test('rests on the kinds that its check read, those of another on others', () => {
  suspicions.update(finding('a', 0), 1);
  suspicions.update(finding('b', 5), 2);
  const through: Readonly<Record<number, string>> = { 1: at(3), 2: at(99) };
  expect(suspicions.due(99, (kinds) => known(through[kinds]!))).toEqual([['b', at(99)]]);
  suspicions.update(finding('a', 0), 2);
  expect(suspicions.due(99, (kinds) => known(through[kinds]!))).toEqual([
    ['a', at(99)],
    ['b', at(99)],
  ]);
});

test('one that comes to others from another group is due by its own time', () => {
  suspicions.update(finding('b', 5), 2);
  suspicions.update(finding('a', 0), 2);
  expect([due(at(9)), due(at(12)), due(at(15))]).toEqual([[], ['a'], ['a', 'b']]);
});

test('what was recorded before its check ran rests on all kinds, and then on those', () => {
  expect(suspicions.due(99, (kinds) => known(kinds === ALL_KINDS ? '' : at(99)))).toEqual([]);
  suspicions.update(finding('a', 0), 1);
  suspicions.update(finding('a', 0));
  expect(suspicions.due(99, (kinds) => known(kinds === ALL_KINDS ? '' : at(99)))).toEqual([
    ['a', at(99)],
  ]);
});

test('one that turns is again once', () => {
  const anew = ['more', 'more', 'less', 'less'].map((it) => suspicions.observeSense('a', it));
  expect(anew).toEqual([false, false, true, false]);
});
