import { cleanUp, reflecting, until } from './testing/reflecting';

afterEach(cleanUp);

/** Watches end each second; a server that bookmarks does so before the end. */
async function inBrief(bookmarks: boolean, checkPerObject = 0) {
  const timing = { watchSeconds: [1, 1], silence: 3_600_000, checkPerObject } as const;
  const reflected = await reflecting(timing);
  reflected.server.bookmarks = bookmarks;
  reflected.server.put('a');
  reflected.run();
  await until(() => reflected.mirror.count('complete') === 1);
  return reflected;
}

test('a watch that ends in time and said how far it has read is progress, without a list and without a wait', async () => {
  const { server, mirror, same } = await inBrief(true);
  await until(() => server.asked.watch >= 4, 'the fourth watch');
  expect(mirror.count('progress')).toBeGreaterThanOrEqual(4);
  expect(server.asked.list).toBe(1);
  server.put('b');
  await until(same);
});

test('one that ends in time without a word is no progress: the kind is checked', async () => {
  const { server, mirror, same } = await inBrief(false);
  await until(() => mirror.count('progress') === 2, 'the check', 8_000);
  expect(server.asked.list).toBe(2);
  server.next({ at: 'event', do: 'drop' });
  server.put('b');
  await until(() => mirror.count('complete') === 2);
  expect(same()).toBe(true);
});

test('one that ends in time without a word is no progress where it is too early to check', async () => {
  const { server, mirror } = await inBrief(false, 3_600_000);
  await until(() => server.asked.watch >= 4, 'the fourth watch');
  expect(mirror.count('progress')).toBe(1);
  expect(server.asked.list).toBe(1);
});
