import { Freeze } from '@ovn-steward/shared/settings/freeze';
import { frozenUntil } from './freezes';

const frozen = (now: string, ...freezes: string[]): string | undefined => {
  const until = frozenUntil(
    freezes.map((it) => Freeze.parse(it)),
    Date.parse(now),
  );
  return until === undefined ? undefined : new Date(until).toISOString().slice(0, 16);
};

const HOLIDAYS = '2026-12-20T00:00Z/2027-01-03T00:00Z';

test('from its beginning to its end, which is out of it', () => {
  expect(
    [
      '2026-12-19T23:59:59.999Z',
      '2026-12-20T00:00Z',
      '2027-01-02T23:59:59Z',
      '2027-01-03T00:00Z',
    ].map((it) => frozen(it, HOLIDAYS)),
  ).toEqual([undefined, '2027-01-03T00:00', '2027-01-03T00:00', undefined]);
  expect(frozen('2026-12-24T00:00Z')).toBeUndefined();
});

test('one that goes over into another is over when that is', () => {
  expect(
    frozen(
      '2026-12-24T00:00Z',
      '2027-01-04T00:00Z/2027-01-05T00:00Z',
      '2027-01-02T00:00Z/2027-01-04T00:00Z',
      HOLIDAYS,
    ),
  ).toBe('2027-01-05T00:00');
  expect(frozen('2026-12-24T00:00Z', '2027-01-03T00:01Z/2027-01-05T00:00Z', HOLIDAYS)).toBe(
    '2027-01-03T00:00',
  );
});
