import { ascendingBy, compareValues } from './compare';

test.each([
  [
    ['b', 'a', 'B', 'ä', 'a10', 'a9'],
    ['B', 'a', 'a10', 'a9', 'b', 'ä'],
  ],
  [
    [10, 9, -1, 0],
    [-1, 0, 9, 10],
  ],
  [
    [10n ** 20n, 9n],
    [9n, 10n ** 20n],
  ],
  [
    [true, false],
    [false, true],
  ],
])('%p are in order as %p', (values, sorted) => {
  expect((values as (string | number | bigint | boolean)[]).toSorted(compareValues)).toEqual(
    sorted,
  );
});

test('what is equal is neither before nor behind, and keeps its place', () => {
  expect(compareValues('a', 'a')).toBe(0);
  const all = [
    { name: 'b', nth: 0 },
    { name: 'a', nth: 1 },
    { name: 'b', nth: 2 },
    { name: 'a', nth: 3 },
  ];
  expect(all.toSorted(ascendingBy((it) => it.name)).map((it) => it.nth)).toEqual([1, 3, 0, 2]);
});
