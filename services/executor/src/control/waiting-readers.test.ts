import { setImmediate } from 'node:timers/promises';
import { type ControlState, NOTHING_DECIDED } from './control-state';
import { waitingReaders } from './waiting-readers';

const never = new AbortController().signal;
const other: ControlState = { ...NOTHING_DECIDED };

test('only a read that began after somebody asked answers him', async () => {
  const readers = waitingReaders();
  const before = performance.now() - 1;
  let heard: ControlState | undefined;
  const requested = readers.wait(never).then((it) => (heard = it));
  readers.read(before, NOTHING_DECIDED);
  await setImmediate();
  expect(heard).toBeUndefined();
  readers.read(performance.now(), other);
  expect(await requested).toBe(other);
});

test('who asks wakes the reader, once: after a failure all wait', async () => {
  const readers = waitingReaders();
  const slept = readers.sleep(600_000, never);
  const requested = readers.wait(never);
  await slept;
  const stop = new AbortController();
  const second = readers.sleep(600_000, stop.signal).then(() => 'woke');
  expect(await Promise.race([second, setImmediate('sleeps')])).toBe('sleeps');
  stop.abort();
  await second;
  readers.read(performance.now(), other);
  expect(await requested).toBe(other);
});

test('who asks while a read is under way has another one at once', async () => {
  const readers = waitingReaders();
  const requested = readers.wait(never);
  await readers.sleep(600_000, never);
  readers.read(performance.now(), other);
  await requested;
});

test('nobody waits for ever, nor after the signal', async () => {
  const readers = waitingReaders();
  const stop = new AbortController();
  const late = readers.wait(never);
  const stopped = readers.wait(stop.signal);
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  await expect(late).rejects.toMatchObject({ code: 'log-unavailable' });
});
