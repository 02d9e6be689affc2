import { spanText } from './span-text';

test.each([
  [0, '0s'],
  [59, '59s'],
  [61, '1m 1s'],
  [3600, '1h'],
  [90_061, '1d 1h'],
])('%d seconds are %s', (seconds, is) => expect(spanText(seconds)).toBe(is));
