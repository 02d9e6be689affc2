import { partitions } from './partitions';

test('speaks of what it holds', () => {
  const ours = partitions();
  expect([ours.now(), ours.reading()]).toEqual([[], false]);
  ours.assigned(3);
  ours.assigned(1);
  expect([ours.now(), ours.reading()]).toEqual([[3, 1], true]);
});

test('what another reader has is no longer spoken of, be it everything', () => {
  const ours = partitions();
  ours.assigned(1);
  ours.revoked(1);
  expect([ours.now(), ours.reading()]).toEqual([[], true]);
});

test('a reading that ends gives everything back, which is no reason to speak of nothing', () => {
  const ours = partitions();
  for (const each of [1, 2, 3]) ours.assigned(each);
  ours.revoked(3);
  ours.markCurrent();
  for (const each of [1, 2]) ours.revoked(each);
  ours.ended();
  expect([ours.now(), ours.reading()]).toEqual([[1, 2], false]);
  ours.assigned(2);
  expect(ours.now()).toEqual([2]);
});
