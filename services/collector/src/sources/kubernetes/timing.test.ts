import fc from 'fast-check';
import { retryDelay, pause } from './timing';

test('full jitter stays between nothing and its ceiling, however many tries', () => {
  fc.assert(
    fc.property(fc.nat(5000), (attempt) => {
      const wait = retryDelay({ base: 500, max: 30_000 }, attempt);
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThanOrEqual(Math.min(30_000, 500 * 2 ** attempt));
    }),
  );
});

test('a pause ends with any of its signals, also one that fired before', async () => {
  const [one, two] = [new AbortController(), new AbortController()];
  setTimeout(() => two.abort(), 10);
  // Each would last longer than a test may.
  await pause(3_600_000, one.signal, two.signal);
  await pause(3_600_000, two.signal);
  await pause(5, one.signal);
});
