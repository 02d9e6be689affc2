import type { Server } from './server';
import { waitFor } from './wait';

const server = (up: boolean): Server => ({
  name: 'thing-server',
  running: () => up,
  signal: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  kill: () => Promise.resolve(),
  logTail: () => 'its last words',
});

test('gives what the check gives once it is neither undefined nor false, whatever failed before', async () => {
  const answers = [
    () => undefined,
    () => false as const,
    () => Promise.reject(new Error('not yet')),
    () => 7,
  ];
  expect(await waitFor(() => answers.shift()?.(), { what: 'seven', timeoutMs: 5_000 })).toBe(7);
});

test('says what it waited for in vain, the last error and the log', async () => {
  const waiting = waitFor(() => Promise.reject(new Error('refused')), {
    what: 'the thing',
    timeoutMs: 10,
    servers: [server(true)],
  });
  await expect(waiting).rejects.toThrow(
    /waited 10 ms in vain for the thing; last error: refused\n--- log of thing-server:\nits last words/,
  );
});

test('does not go on waiting for a server that has ended', async () => {
  await expect(
    // Longer than a test may take.
    waitFor(() => undefined, { what: 'the thing', timeoutMs: 3_600_000, servers: [server(false)] }),
  ).rejects.toThrow('thing-server ended while waiting for the thing');
});
