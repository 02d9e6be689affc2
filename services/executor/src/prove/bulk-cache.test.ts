import { createBulkCache } from './bulk-cache';

test('what was read a moment ago is read once; what failed, or is too old, is read again', async () => {
  let reads = 0;
  const look = createBulkCache();
  const read = async () => ++reads;
  expect(await Promise.all([look.share('a', read), look.share('a', read)])).toEqual([1, 1]);
  expect(await look.share('b', read)).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(await look.share('a', read, 10)).toBe(3);
  expect(await look.share('a', read)).toBe(3);

  await expect(look.share('c', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await look.share('c', read)).toBe(4);
});

test('a newer reading outlives the older one it replaced', async () => {
  const look = createBulkCache();
  let fail: (error: Error) => void = () => {};
  const first = look.share('a', () => new Promise<string>((_, reject) => (fail = reject)));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await look.share('a', async () => 'second', 5)).toBe('second');
  fail(new Error('late'));
  await expect(first).rejects.toThrow('late');
  expect(await look.share('a', async () => 'third')).toBe('second');
});
