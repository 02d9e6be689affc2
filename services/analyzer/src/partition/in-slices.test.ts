import { inSlices, mapped } from './in-slices';

function busy(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

function* work(pieces: number, ms: number): Generator<undefined, string> {
  for (let piece = 0; piece < pieces; piece++) {
    busy(ms);
    yield;
  }
  return 'done';
}

test('others have their turn while long work is done, and it is done to its end', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 5);
  expect(await inSlices(work(30, 10))).toBe('done');
  clearInterval(timer);
  expect(turns).toBeGreaterThanOrEqual(3);
});

test('what it throws is thrown on', async () => {
  await expect(
    inSlices(
      mapped([1, 2], (number) => {
        if (number === 2) throw new Error('at 2');
      }),
    ),
  ).rejects.toThrow('at 2');
});
