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

test('finds the readers of a cell that many read, whichever of them go', () => {
  const dependencies = new Dependencies();
  const left = new Set(Array.from({ length: 30_000 }, (_, nth) => nth));
  for (const reader of left) dependencies.record(reader, new Set([-1, -2, reader]));
  const readersOf = (cell: number): Set<number> => {
    const readers = new Set<number>();
    dependencies.readersOf(cell, readers);
    return readers;
  };
  // The first to come are the furthest away in the list.
  for (const reader of [...left]) {
    if (reader % 3 === 0) dependencies.record(reader, new Set([-2, reader]));
    else dependencies.forget(reader);
    left.delete(reader);
    if (reader % 5000 === 0) expect(readersOf(-1)).toEqual(left);
  }
  expect(readersOf(-1).size).toBe(0);
  expect(readersOf(-2).size).toBe(10_000);
  expect([...readersOf(2)]).toEqual([]);
  expect([...readersOf(3)]).toEqual([3]);
});
