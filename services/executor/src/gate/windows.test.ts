import { TimeWindow } from '@ovn-steward/shared/settings/time-window';
import fc from 'fast-check';
import { windowIsOpen, nextOpening } from './windows';

const windows = (...texts: string[]): TimeWindow[] => texts.map((it) => TimeWindow.parse(it));
const at = (text: string): number => Date.parse(text);
const open = (text: string, ...of: string[]): boolean => windowIsOpen(windows(...of), at(text));
const next = (text: string, ...of: string[]): string | undefined => {
  const opening = nextOpening(windows(...of), at(text));
  return opening === undefined ? undefined : new Date(opening).toISOString().slice(0, 16);
};

const NIGHTS = 'Mon-Fri 22:00-06:00 Europe/Berlin';

test('without windows it is always open', () => {
  expect(windowIsOpen([], 0)).toBe(true);
  expect(nextOpening([], 0)).toBeUndefined();
});

test.each([
  ['2026-01-12T20:59Z', false],
  ['2026-01-12T21:00Z', true],
  ['2026-01-13T04:59:59.999Z', true],
  ['2026-01-13T05:00Z', false], // Monday, winter: UTC+1
  ['2026-07-13T19:59Z', false],
  ['2026-07-13T20:00Z', true],
  ['2026-07-14T03:59Z', true],
  ['2026-07-14T04:00Z', false], // summer: UTC+2
  ['2026-01-17T04:00Z', true], // the night of Friday goes on into Saturday
  ['2026-01-17T22:00Z', false],
  ['2026-01-18T22:00Z', false],
  ['2026-01-12T04:00Z', false], // Saturday, Sunday, and Sunday's night
])('nights of working days, at %s', (text, is) => {
  expect(open(text, NIGHTS)).toBe(is);
});

test('several are any of them', () => {
  expect(
    ['2026-01-14T12:00Z', '2026-01-17T12:00Z', '2026-01-14T22:30Z'].map((it) =>
      open(it, NIGHTS, 'Sat,Sun 00:00-24:00'),
    ),
  ).toEqual([false, true, true]);
  expect(next('2026-01-16T12:00Z', 'Sat,Sun 00:00-24:00', NIGHTS)).toBe('2026-01-16T21:00');
});

test('the night summer time begins, a window that hour is in is shorter by it', () => {
  // Berlin, 2026-03-29: 02:00 becomes 03:00 at 01:00 UTC.
  const window = 'Sun 01:30-03:30 Europe/Berlin';
  expect(
    [
      '2026-03-29T00:29Z',
      '2026-03-29T00:30Z',
      '2026-03-29T01:00Z',
      '2026-03-29T01:29Z',
      '2026-03-29T01:30Z',
    ].map((it) => open(it, window)),
  ).toEqual([false, true, true, true, false]);
  expect(next('2026-03-28T12:00Z', 'Sun 02:15-02:45 Europe/Berlin')).toBe('2026-04-05T00:15');
  expect(next('2026-03-28T12:00Z', 'Sun 02:15-03:15 Europe/Berlin')).toBe('2026-03-29T01:00');
});

test('the night it ends, a window in that hour comes twice', () => {
  // Berlin, 2026-10-25: 03:00 becomes 02:00 at 01:00 UTC.
  const window = 'Sun 02:15-02:45 Europe/Berlin';
  expect(
    [
      '2026-10-25T00:14Z',
      '2026-10-25T00:15Z',
      '2026-10-25T00:45Z',
      '2026-10-25T01:14Z',
      '2026-10-25T01:15Z',
      '2026-10-25T01:45Z',
    ].map((it) => open(it, window)),
  ).toEqual([false, true, false, false, true, false]);
  expect(next('2026-10-25T00:50Z', window)).toBe('2026-10-25T01:15');
});

test('zones that are not whole hours away', () => {
  expect([
    open('2026-01-12T18:14Z', 'Tue 00:00-01:00 Asia/Kathmandu'),
    open('2026-01-12T18:15Z', 'Tue 00:00-01:00 Asia/Kathmandu'),
  ]).toEqual([false, true]);
  expect(next('2026-01-12T00:00Z', 'Tue 00:00-01:00 Asia/Kathmandu')).toBe('2026-01-12T18:15');
});

test('the next opening is the first open minute there is', () => {
  const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  const minute = fc.integer({ min: 0, max: 1439 });
  const clock = (it: number): string =>
    `${String(Math.floor(it / 60)).padStart(2, '0')}:${String(it % 60).padStart(2, '0')}`;
  const window = fc
    .record({
      day: fc.constantFrom(...days),
      from: minute,
      to: minute,
      zone: fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'UTC'),
    })
    .filter(({ from, to }) => from !== to);
  // Three years in which every zone changes its clocks twice a year.
  fc.assert(
    fc.property(
      window,
      fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2028, 0) }),
      ({ day, from, to, zone }, now) => {
        const timeWindows = windows(`${day} ${clock(from)}-${clock(to)} ${zone}`);
        const opening = nextOpening(timeWindows, now)!;
        expect(windowIsOpen(timeWindows, opening)).toBe(true);
        for (let before = opening - 60_000; before >= now; before -= 7 * 60_000)
          expect(windowIsOpen(timeWindows, before)).toBe(false);
        if (opening - 60_000 >= now)
          expect(windowIsOpen(timeWindows, opening - 60_000)).toBe(false);
      },
    ),
    { numRuns: 60 },
  );
});
