import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { Suspicions } from './suspicions';

const GRACE = 10;
const at = (ms: number): string => new Date(ms).toISOString();
const finding = (id: string, since: number, state: Finding['state'] = 'suspected'): Finding =>
  ({ id, state, firstSeen: at(since) }) as Finding;

let suspicions: Suspicions;
beforeEach(() => {
  suspicions = new Suspicions(() => GRACE);
  suspicions.update(finding('a', 0));
  suspicions.update(finding('b', 5));
});

test('each is due when its grace has passed, and not before', () => {
  expect(['', at(9), at(10), at(14), at(15)].map((it) => suspicions.due(it))).toEqual([
    [],
    [],
    ['a'],
    ['a'],
    ['a', 'b'],
  ]);
});

test('without a grace it is due once time went on', () => {
  const none = new Suspicions(() => 0);
  none.update(finding('a', 5));
  expect([none.due(at(5)), none.due(at(6))]).toEqual([[], ['a']]);
});

test('what is confirmed or resolved is no suspicion', () => {
  suspicions.update(finding('a', 0, 'confirmed'));
  suspicions.update(finding('b', 5, 'resolved'));
  expect([suspicions.size, suspicions.due(at(99))]).toEqual([0, []]);
});

test('what begins anew comes after those that began before', () => {
  suspicions.update(finding('a', 6));
  expect([suspicions.due(at(15)), suspicions.due(at(16))]).toEqual([['b'], ['b', 'a']]);
});

test('what is noted again is where it was', () => {
  suspicions.update(finding('a', 0));
  expect(suspicions.due(at(10))).toEqual(['a']);
});

test('what is paused is not due until it is noted again', () => {
  suspicions.pause('a');
  expect([suspicions.paused('a'), suspicions.paused('b')]).toEqual([true, false]);
  expect(suspicions.due(at(15))).toEqual(['b']);
  suspicions.update(finding('a', 6));
  expect([suspicions.paused('a'), suspicions.due(at(16))]).toEqual([false, ['b', 'a']]);
});

test('what is no suspicion is not paused', () => {
  suspicions.pause('c');
  expect(suspicions.paused('c')).toBe(false);
});

test('all are paused together', () => {
  suspicions.pauseAll();
  expect([suspicions.paused('a'), suspicions.paused('b'), suspicions.size]).toEqual([
    true,
    true,
    0,
  ]);
  expect(suspicions.due(at(99))).toEqual([]);
});
