import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { timeLimit } from './time-limit';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Whether it fires within a second, while garbage is collected and only the listener knows the
 * signal.
 */
async function fires(signal: AbortSignal): Promise<boolean> {
  let fired = false;
  signal.addEventListener('abort', () => (fired = true), { once: true });
  for (let waited = 0; waited < 1000 && !fired; waited += 20) {
    collectGarbage();
    await sleep(20);
  }
  return fired;
}

const never = new AbortController().signal;

test('fires though nobody keeps it', async () => {
  expect(await fires(timeLimit(100))).toBe(true);
  expect(await fires(timeLimit(100, never))).toBe(true);
  expect(await fires(AbortSignal.any([never, timeLimit(100, never)]))).toBe(true);
});

test('fires with another, and then the reason is that of the other', async () => {
  const other = new AbortController();
  const signal = timeLimit(60_000, never, other.signal);
  const fired = fires(signal);
  other.abort('enough');
  expect([await fired, signal.reason]).toEqual([true, 'enough']);
  const late = timeLimit(1);
  expect([await fires(late), (late.reason as DOMException).name]).toEqual([true, 'TimeoutError']);
});

test('a limit of years does not fire at once', async () => {
  const signal = timeLimit(2 ** 40);
  await sleep(20);
  expect(signal.aborted).toBe(false);
});
