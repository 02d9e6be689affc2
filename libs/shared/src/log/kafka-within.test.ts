import { setTimeout as sleep } from 'node:timers/promises';
import { createWithin } from './kafka-within';

const within = createWithin(['a:1', 'b:2']);

describe('within', () => {
  it('settles as the promise does', async () => {
    await expect(within(10_000, 'X', Promise.resolve(1))).resolves.toBe(1);
    await expect(within(10_000, 'X', Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('gives up what does not settle, and does not mind how it ends', async () => {
    const late = sleep(30).then(() => Promise.reject(new Error('late')));
    await expect(within(1, 'Asking', late)).rejects.toMatchObject({
      code: 'log-unavailable',
      message: expect.stringMatching(/^Asking was given up after 1 ms: no answer \(a:1, b:2\)/),
    });
    await sleep(60); // a rejection nobody hears would end the process
  });

  it('leaves no timer behind', async () => {
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((it) => it === 'Timeout').length;
    const before = timers();
    await within(3_600_000, 'X', Promise.resolve(1));
    await sleep(1);
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
