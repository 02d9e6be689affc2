import { Duration } from './duration';

describe('Duration', () => {
  it.each([
    ['0s', 0],
    ['500ms', 500],
    ['30s', 30_000],
    ['15m', 900_000],
    ['1h30m', 5_400_000],
    ['7d', 604_800_000],
  ])('reads %s', (text, ms) => {
    expect(Duration.parse(text)).toBe(ms);
  });

  it.each([
    '',
    '15',
    'm',
    '15 m',
    '-1s',
    '1.5h',
    '15min',
    '1e3s',
    'Infinityd',
    '99999999999d',
    ' 1s',
    15,
    null,
  ])('refuses %j', (value) => {
    expect(Duration.safeParse(value).success).toBe(false);
  });
});
