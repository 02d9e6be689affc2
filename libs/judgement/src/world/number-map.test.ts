import fc from 'fast-check';
import { NumberMap } from './number-map';

const key = fc.oneof(
  fc.integer({ min: -4, max: 4 }),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
);

test('answers as Map does, whatever is put in and taken out', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.option(fc.nat())), { size: '+2' }), (steps) => {
      const [map, model] = [new NumberMap(), new Map<number, number>()];
      for (const [number, value] of steps) {
        if (value === null) {
          map.delete(number);
          model.delete(number);
        } else {
          map.set(number, value);
          model.set(number, value);
        }
        expect(map.get(number)).toBe(model.get(number) ?? -1);
      }
      for (const it of model.keys()) expect(map.get(it)).toBe(model.get(it));
    }),
  );
});

test('keeps everything while it grows and shrinks', () => {
  const map = new NumberMap();
  const keys = Array.from({ length: 50_000 }, (_, nth) => Math.imul(nth, 0x9e3779b1));
  keys.forEach((it, nth) => map.set(it, nth));
  keys.filter((_, nth) => nth % 3 > 0).forEach((it) => map.delete(it));
  expect(keys.filter((it, nth) => map.get(it) !== (nth % 3 > 0 ? -1 : nth))).toEqual([]);
});
