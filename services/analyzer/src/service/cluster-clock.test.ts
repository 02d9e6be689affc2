import type { StreamState } from '@ovn-steward/judgement/world/streams';
import { clusterClock } from './cluster-clock';

const streams = (...through: string[]): StreamState[] =>
  through.map((observedThrough) => ({ observedThrough }) as StreamState);
let now = 1000;
const elapsed = (): number => now;

test('a cluster’s time is its newest watermark and what has passed since that moved', () => {
  const clock = clusterClock(elapsed);
  clock.observe('a', streams('2020-01-01T00:00:00Z', '2020-01-01T00:00:05Z', ''));
  expect(clock.now('a')).toBeUndefined(); // it may have stood there for days
  now += 100;
  clock.observe('a', streams('2020-01-01T00:00:10Z'));
  now += 2000;
  expect(clock.now('a')).toBe(Date.parse('2020-01-01T00:00:12Z'));
  clock.observe('a', streams('2020-01-01T00:00:10Z'));
  expect(clock.now('a')).toBe(Date.parse('2020-01-01T00:00:12Z'));
  expect(clock.now('b')).toBeUndefined();
});

test('what was forgotten counts again once it moves', () => {
  const clock = clusterClock(elapsed);
  clock.observe('a', streams(''));
  clock.observe('a', streams('2020-01-01T00:00:00Z'));
  clock.forget(['a', 'b']);
  expect(clock.now('a')).toBeUndefined();
  clock.observe('a', streams('2020-01-01T00:00:00Z'));
  expect(clock.now('a')).toBeUndefined();
  clock.observe('a', streams('2020-01-01T00:00:01Z'));
  expect(clock.now('a')).toBe(Date.parse('2020-01-01T00:00:01Z'));
});
