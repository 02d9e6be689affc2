import fc from 'fast-check';
import { retryDelay } from './timing';

test('full jitter stays between nothing and its ceiling, however many tries', () => {
  fc.assert(
    fc.property(fc.nat(5000), (attempt) => {
      const wait = retryDelay({ base: 500, max: 30_000 }, attempt);
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThanOrEqual(Math.min(30_000, 500 * 2 ** attempt));
    }),
  );
});
