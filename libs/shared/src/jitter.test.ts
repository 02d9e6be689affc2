import fc from 'fast-check';
import { between } from './jitter';

test('between keeps its bounds', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.nat(100), (low, span) => {
      const drawn = between(low, low + span);
      expect(drawn >= low && drawn <= low + span).toBe(true);
    }),
  );
});
