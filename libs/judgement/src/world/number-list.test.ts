import { NumberList } from './number-list';

test('keeps what is put, over the ends of its chunks, and has the rest elsewhere', () => {
  const list = new NumberList(-1);
  expect(list.get(0)).toBe(-1);
  const places = [0, 1, 4095, 4096, 12_287, 12_288, 100_000];
  for (const at of places) list.set(at, at * 3 - 7);
  expect(places.map((at) => list.get(at))).toEqual(places.map((at) => at * 3 - 7));
  expect([2, 4094, 4097, 99_999, 100_001, 1_000_000].map((at) => list.get(at))).toEqual(
    Array(6).fill(-1),
  );
  list.set(4096, 5);
  expect([4095, 4096, 4097].map((at) => list.get(at))).toEqual([4095 * 3 - 7, 5, -1]);
});

test('holds every 32-bit integer, and 0 where nothing is said of the rest', () => {
  const list = new NumberList();
  list.set(1, 2 ** 31 - 1);
  list.set(2, -(2 ** 31));
  expect([0, 1, 2].map((at) => list.get(at))).toEqual([0, 2 ** 31 - 1, -(2 ** 31)]);
});
