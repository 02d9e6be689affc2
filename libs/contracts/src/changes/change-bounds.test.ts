import * as fc from 'fast-check';
import type { Change, Heartbeat } from './change';
import { EPOCHS_OF_TERM, implausible, lastEpoch, lastTime } from './change-bounds';

const AT = Date.parse('2026-06-01T12:00:00Z');
const YEAR = 365 * 86_400_000;
const heartbeat = (more: Partial<Heartbeat> = {}): Change => ({
  type: 'heartbeat',
  version: 1,
  id: 'i',
  cluster: 'c',
  source: 'ovn-nb',
  stream: 'ovn-nb',
  epoch: 1,
  seq: 1,
  cursor: '',
  observedAt: '2026-06-01T12:00:00.000Z',
  observedThrough: '2026-06-01T12:00:00.000Z',
  ...more,
});

test('believes what a collector publishes: at once, late, and from any of thousands of terms', () => {
  expect(implausible(heartbeat(), AT)).toBeUndefined();
  expect(implausible(heartbeat(), AT + YEAR)).toBeUndefined();
  expect(implausible(heartbeat({ epoch: 50_000 * EPOCHS_OF_TERM + 7 }), AT)).toBeUndefined();
  expect(implausible(heartbeat({ epoch: 50_000 * EPOCHS_OF_TERM + 7 }), 1)).toBeDefined(); // its times are of 2026
  expect(implausible(heartbeat({ observedThrough: '2026-06-01T12:05:00Z' }), AT)).toBeUndefined();
});

test.each<[string, Partial<Heartbeat>]>([
  ['epoch 2^53-1', { epoch: Number.MAX_SAFE_INTEGER }],
  ['an epoch of the term after the last', { epoch: lastEpoch(AT) + 1 }],
  ['seq 2^53-1', { seq: Number.MAX_SAFE_INTEGER }],
  ['a watermark of the year 9999', { observedThrough: '9999-12-31T23:59:59Z' }],
  ['a watermark beyond the tolerance', { observedThrough: '2026-06-01T12:05:00.001Z' }],
  ['observedAt of the year 9999', { observedAt: '9999-12-31T23:59:59Z' }],
  ['a text greater than any time', { observedThrough: 'zzzz' }],
  ['a time of another zone', { observedThrough: '2026-06-01T23:00:00+14:00' }],
  ['a day there is not', { observedThrough: '2026-13-01T00:00:00Z' }],
])('refuses %s', (_, more) => {
  expect(implausible(heartbeat(more), AT)).toMatch(/^its (?:epoch|seq|observed)/);
});

test('an hour later a greater epoch than any believed before is believed, and can be written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 36 * YEAR }), (since) => {
      const at = Date.parse('2025-01-01T00:00:00Z') + since;
      expect(lastEpoch(at + 3_600_000)).toBeGreaterThan(lastEpoch(at) + EPOCHS_OF_TERM);
      expect(Number.isSafeInteger(lastEpoch(at) + 1)).toBe(true);
      expect(lastTime(at)).toBeGreaterThan(at);
    }),
  );
});

test('recordings older than the count of terms are believed', () => {
  const old = '2019-03-01T00:00:00Z';
  expect(
    implausible(
      heartbeat({ epoch: EPOCHS_OF_TERM, observedAt: old, observedThrough: old }),
      Date.parse(old),
    ),
  ).toBeUndefined();
});
