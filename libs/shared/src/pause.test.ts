import { pause } from './pause';

test('ends when the signal aborts, without an error', async () => {
  const stop = new AbortController();
  const paused = pause(60_000, stop.signal);
  stop.abort();
  await expect(paused).resolves.toBeUndefined();
});

test('ends when any of several signals aborts, also one that aborted before', async () => {
  const one = new AbortController();
  const two = new AbortController();
  setTimeout(() => two.abort(), 10);
  // Each would last longer than a test may.
  await pause(3_600_000, one.signal, two.signal);
  await pause(3_600_000, one.signal, two.signal);
});

test('does not begin under a signal that has aborted', async () => {
  await expect(pause(60_000, AbortSignal.abort())).resolves.toBeUndefined();
});

test('waits as long as it is asked to', async () => {
  const from = performance.now();
  await pause(20, new AbortController().signal);
  expect(performance.now() - from).toBeGreaterThan(18);
});

test('a pause of years does not end at once', async () => {
  const stop = new AbortController();
  let ended = false;
  const paused = pause(2 ** 40, stop.signal).then(() => (ended = true));
  await pause(20, new AbortController().signal);
  expect(ended).toBe(false);
  stop.abort();
  await paused;
});
