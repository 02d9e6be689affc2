import { untilOneFails } from './until-one-fails';

/** Works until it is stopped, and takes a moment to end. */
const working =
  (ended: string[], name: string) =>
  (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) =>
      signal.addEventListener('abort', () =>
        setTimeout(() => {
          ended.push(name);
          resolve();
        }, 20),
      ),
    );
const never = new AbortController().signal;

test.each([new TypeError('a bug'), 'no error at all'])(
  'one that fails with %p stops the others, which are waited for',
  async (thrown) => {
    const ended: string[] = [];
    const failing = (): Promise<void> => Promise.reject(thrown as Error);
    const heard: unknown[] = [];
    await expect(
      untilOneFails([working(ended, 'a'), failing, working(ended, 'b')], never, (it) =>
        heard.push(it),
      ),
    ).rejects.toBe(thrown);
    expect([ended.sort(), heard]).toEqual([['a', 'b'], [thrown]]);
  },
);

test('the first failure counts, not what the others end with', async () => {
  const failing = async (): Promise<void> => {
    throw new Error('first');
  };
  const failsAtTheEnd = async (signal: AbortSignal): Promise<void> => {
    await working([], 'a')(signal);
    throw new Error('later');
  };
  await expect(untilOneFails([failsAtTheEnd, failing], never)).rejects.toThrow('first');
});

test('ends when the signal fires', async () => {
  const stop = new AbortController();
  const ended: string[] = [];
  const all = untilOneFails([working(ended, 'a'), working(ended, 'b')], stop.signal);
  stop.abort();
  await all;
  expect(ended).toHaveLength(2);
});
