import { fullJitter } from './backoff';

test('doubles its bound from the base to the cap, and starts at zero', () => {
  const options = { baseMs: 100, capMs: 1000 };
  expect([0, 1, 2, 3, 4, 1000].map((attempt) => fullJitter(attempt, options, () => 1))).toEqual([
    100, 200, 400, 800, 1000, 1000,
  ]);
  expect(fullJitter(3, options, () => 0)).toBe(0);
});
