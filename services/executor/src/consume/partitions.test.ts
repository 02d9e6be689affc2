import { partitions } from './partitions';

test('speaks of what it holds', () => {
  const ours = partitions();
  expect([ours.now(), ours.reading()]).toEqual([[], false]);
  ours.given(3);
  ours.given(1);
  expect([ours.now(), ours.reading()]).toEqual([[3, 1], true]);
});

test('what another reader has is no longer spoken of, be it everything', () => {
  const ours = partitions();
  ours.given(1);
  ours.taken(1);
  expect([ours.now(), ours.reading()]).toEqual([[], true]);
});

test('a reading that ends gives everything back, which is no reason to speak of nothing', () => {
  const ours = partitions();
  for (const each of [1, 2, 3]) ours.given(each);
  ours.taken(3);
  ours.well();
  for (const each of [1, 2]) ours.taken(each);
  ours.ended();
  expect([ours.now(), ours.reading()]).toEqual([[1, 2], false]);
  ours.given(2);
  expect(ours.now()).toEqual([2]);
});
