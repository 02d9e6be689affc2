import fc from 'fast-check';
import { KeyedNumbers } from './keyed-numbers';

const keys = fc.array(
  fc.oneof(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  { minLength: 1, size: '+2' },
);
const steps = fc.array(fc.tuple(fc.nat(), fc.boolean()), { size: '+2' });

test('answers as Map does, whatever is put in and taken out', () => {
  fc.assert(
    fc.property(keys, steps, (keyOf, all) => {
      const numbers = new KeyedNumbers((it) => keyOf[it]!);
      const model = new Map<number, number>();
      for (const [drawn, isPut] of all) {
        const number = drawn % keyOf.length;
        const key = keyOf[number]!;
        if (isPut) {
          numbers.put(number);
          model.set(key, number);
        } else {
          numbers.delete(key);
          model.delete(key);
        }
        expect(numbers.get(key)).toBe(model.get(key) ?? -1);
      }
      for (const key of keyOf) expect(numbers.get(key)).toBe(model.get(key) ?? -1);
    }),
  );
});

test('keeps everything while it grows and shrinks', () => {
  const keyOf = Array.from({ length: 50_000 }, (_, nth) => Math.imul(nth, 0x9e3779b1));
  const numbers = new KeyedNumbers((it) => keyOf[it]!);
  keyOf.forEach((_, nth) => numbers.put(nth));
  keyOf.filter((_, nth) => nth % 3 > 0).forEach((it) => numbers.delete(it));
  const wrong = keyOf.filter((it, nth) => numbers.get(it) !== (nth % 3 > 0 ? -1 : nth));
  expect(wrong).toEqual([]);
});
