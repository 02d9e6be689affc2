import { createBulkCache } from './bulk-cache';

test('what was read a moment ago is read once; what failed, or is too old, is read again', async () => {
  let reads = 0;
  const cache = createBulkCache();
  const read = async () => ++reads;
  expect(await Promise.all([cache.share('a', read), cache.share('a', read)])).toEqual([1, 1]);
  expect(await cache.share('b', read)).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(await cache.share('a', read, 10)).toBe(3);
  expect(await cache.share('a', read)).toBe(3);

  await expect(cache.share('c', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await cache.share('c', read)).toBe(4);
});

test('a newer reading outlives the older one it replaced', async () => {
  const cache = createBulkCache();
  let fail: (error: Error) => void = () => {};
  const first = cache.share('a', () => new Promise<string>((_, reject) => (fail = reject)));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await cache.share('a', async () => 'second', 5)).toBe('second');
  fail(new Error('late'));
  await expect(first).rejects.toThrow('late');
  expect(await cache.share('a', async () => 'third')).toBe('second');
});
