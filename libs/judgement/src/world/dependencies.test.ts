import fc from 'fast-check';
import { Dependencies } from './dependencies';

const unit = fc.nat(6);
const cells = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 8 });

test('finds exactly the units that read a cell the last time they were recorded', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(unit, fc.option(cells)), { size: '+1' }), (steps) => {
      const dependencies = new Dependencies();
      const model = new Map<number, Set<number>>();
      for (const [reader, read] of steps) {
        if (read === null) {
          dependencies.forget(reader);
          model.delete(reader);
        } else {
          dependencies.record(reader, new Set(read));
          model.set(reader, new Set(read));
        }
        for (let cell = -5; cell <= 5; cell++) {
          const readers = new Set<number>();
          dependencies.readersOf(cell, readers);
          expect([...readers].sort()).toEqual(
            [...model]
              .filter(([, all]) => all.has(cell))
              .map(([one]) => one)
              .sort(),
          );
        }
      }
    }),
  );
});

test('uses again what a unit no longer needs', () => {
  const dependencies = new Dependencies();
  for (let round = 0; round < 100_000; round++) dependencies.record(0, new Set([round, round + 1]));
  const readers = new Set<number>();
  dependencies.readersOf(100_000, readers);
  expect([...readers]).toEqual([0]);
});
