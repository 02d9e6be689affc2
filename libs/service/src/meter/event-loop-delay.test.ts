import { setTimeout as sleep } from 'node:timers/promises';
import { eventLoopDelay } from './event-loop-delay';

test('what blocks the loop shows once, as the latest timer', async () => {
  const delay = eventLoopDelay();
  try {
    await sleep(60);
    delay.read();
    await sleep(60);
    const until = Date.now() + 300;
    while (Date.now() < until);
    await sleep(60);
    expect(delay.read().get(1)).toBeGreaterThan(0.2);
    expect([...delay.read().keys()]).toEqual([0.5, 0.99, 1]);
    expect([...delay.read().values()].every((it) => it >= 0 && it < 0.2)).toBe(true);
  } finally {
    delay.stop();
  }
});
