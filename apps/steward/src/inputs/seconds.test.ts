import { secondsOf, secondsOption } from './seconds';

test.each([
  ['5s', 5],
  ['1m30s', 90],
  ['1h', 3600],
  ['500ms', 0.5],
  ['120', 120],
  ['0.5', 0.5],
  ['1e2', 100],
])('reads %s', (text, seconds) => expect(secondsOf(text)).toBe(seconds));

test.each(['', ' ', '0', '0s', '-1', '-5s', '5 s', '5x', 'soon', 'Infinity'])(
  'refuses %j, and shows how to write it',
  (text) =>
    expect(() => secondsOf(text)).toThrow(
      'give a time greater than 0, such as 30s, 1m30s or 90 (seconds)',
    ),
);

test.each([
  [120, '2m'],
  [2, '2s'],
  [90, '90s'],
])('a default of %d is shown as %s', (seconds, shown) => {
  const option = secondsOption('--timeout <duration>', 'how long', seconds);
  expect([option.defaultValue, option.defaultValueDescription]).toEqual([seconds, shown]);
});
