import { timeText } from './time-text';

test.each([
  [0, '1970-01-01T00:00:00.000Z'],
  [-1, '1969-12-31T23:59:59.999Z'],
  [1e17, '100000000000000000'],
  [NaN, 'NaN'],
])('%d', (at, text) => {
  expect(timeText(at)).toBe(text);
});
