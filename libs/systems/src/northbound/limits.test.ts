import { setTimeout as sleep } from 'node:timers/promises';
import { limited, Overdue } from './limits';

const never = new AbortController().signal;
const forever = new Promise<never>(() => undefined);

test('gives the outcome of what is done in time', async () => {
  expect(await limited(1000, never, (limits) => limits.within(Promise.resolve(1)))).toBe(1);
  await expect(
    limited(1000, never, (limits) => limits.within(Promise.reject(new Error('no')))),
  ).rejects.toThrow('no');
});

test('ends at its time, once for all that is done within it', async () => {
  const both = limited(30, never, async (limits) => {
    await limits.within(sleep(20));
    return limits.within(forever);
  });
  await expect(both).rejects.toBeInstanceOf(Overdue);
});

test('ends with the signal, before and while it is done', async () => {
  const enough = new AbortController();
  const done = limited(1000, enough.signal, (limits) => limits.within(forever));
  enough.abort(new Error('enough'));
  await expect(done).rejects.toThrow('enough');
  let begun = false;
  await expect(
    limited(1000, enough.signal, async () => {
      begun = true;
    }),
  ).rejects.toThrow('enough');
  expect(begun).toBe(false);
});

test('leaves nothing at the signal', async () => {
  const listeners = { added: 0, removed: 0 };
  const signal = {
    aborted: false,
    throwIfAborted: () => undefined,
    addEventListener: () => listeners.added++,
    removeEventListener: () => listeners.removed++,
  } as unknown as AbortSignal;
  await limited(1000, signal, async () => undefined);
  expect(listeners).toEqual({ added: 1, removed: 1 });
});
