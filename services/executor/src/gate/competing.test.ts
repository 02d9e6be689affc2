import { Settings } from '@ovn-steward/shared/settings/settings';
import { competing, type Signs } from './competing';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const settings = Settings.parse({}).executor.yield;
const MINUTE = 60_000;
const signs = (more: Partial<Signs> = {}): Signs => ({
  now: NOW,
  lease: { is: 'led', since: NOW - 60 * MINUTE },
  takings: [],
  northboundMovedAt: undefined,
  ...more,
});
const minutesLeft = (more: Partial<Signs>): number | undefined => {
  const yielding = competing(signs(more), settings);
  return yielding && (yielding.until - NOW) / MINUTE;
};

test('nobody competes where one leads for long, gave up long ago, or never was', () => {
  expect(
    [
      signs(),
      signs({ lease: { is: 'absent', since: undefined } }),
      signs({ lease: { is: 'released', since: NOW - 10 * MINUTE } }),
    ].map((it) => competing(it, settings)),
  ).toEqual([undefined, undefined, undefined]);
});

test.each(['led', 'released', 'absent'] as const)(
  '%s for less than ten minutes: until they are over',
  (is) => {
    expect(
      [NOW, NOW - 9.5 * MINUTE, NOW - 10 * MINUTE].map((since) =>
        minutesLeft({ lease: { is, since } }),
      ),
    ).toEqual([10, 0.5, undefined]);
  },
);

test('what is not known is waited for', () => {
  expect(
    competing(signs({ lease: { is: 'unreadable', why: 'We may not get Lease' } }), settings),
  ).toEqual({ until: NOW + 10_000, why: expect.stringContaining('We may not get Lease') });
});

test('three things gone before we came, within six minutes: six minutes from the last, in whatever order they are reported', () => {
  const before = (...minutes: number[]): number[] => minutes.map((it) => NOW - it * MINUTE);
  expect(
    [
      before(1, 2),
      before(1, 2, 3),
      before(3, 1, 2),
      before(1, 2, 7),
      before(1, 2, 6.9),
      before(6, 7, 8),
      before(5.5, 7, 8, 9, 30),
    ].map((takings) => minutesLeft({ takings })),
  ).toEqual([undefined, 5, 5, undefined, 5, undefined, 0.5]);
});

test('a minute after the Northbound moved', () => {
  expect(
    [NOW, NOW - MINUTE].map((northboundMovedAt) => minutesLeft({ northboundMovedAt })),
  ).toEqual([1, undefined]);
});

test('the longest is reported, with why', () => {
  const all = signs({
    lease: { is: 'led', since: NOW - 6 * MINUTE },
    takings: [NOW, NOW, NOW],
    northboundMovedAt: NOW,
  });
  expect(competing(all, settings)).toEqual({
    until: NOW + 6 * MINUTE,
    why: expect.stringMatching(/^3 things in a row were gone .* until 2026-11-21T12:06Z$/),
  });
  expect(competing({ ...all, takings: [] }, settings)).toEqual({
    until: NOW + 4 * MINUTE,
    why: 'another kube-ovn-controller began to lead at 2026-11-21T11:54Z, and one that starts cleans up; nothing is removed until 2026-11-21T12:04Z',
  });
});
