import { doublingBackOff } from './back-off';

test.each([
  [1, 500],
  [2, 1000],
  [3, 2000],
  [6, 16_000],
  [7, 30_000],
  [8, 30_000],
  [5000, 30_000],
])('before attempt %p it waits %p ms', (attempt, ms) => expect(doublingBackOff(attempt)).toBe(ms));
