import { gatherCalls } from './gather-calls';

const never = new AbortController().signal;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('calls of one turn are one execution, of each key once', async () => {
  const runs: (readonly string[])[] = [];
  const call = gatherCalls<string, string>((keys) => {
    runs.push(keys);
    return async (key) => `${key}!`;
  });
  expect(await Promise.all(['a', 'b', 'a'].map((it) => call(it, never)))).toEqual([
    'a!',
    'b!',
    'a!',
  ]);
  expect(runs).toEqual([['a', 'b']]);
});

test('a call that comes while one is under way gets an answer of its own', async () => {
  let runs = 0;
  let answer: (text: string) => void = () => undefined;
  const call = gatherCalls<'it', string>(() => {
    runs += 1;
    return () => new Promise((resolve) => (answer = resolve));
  });
  const before = call('it', never);
  await nextTurn();
  const after = call('it', never);
  answer('old');
  expect(await before).toBe('old');
  await nextTurn();
  answer('new');
  expect([await after, runs]).toEqual(['new', 2]);
});

test('a failure fails those who called for that key, and no other', async () => {
  const call = gatherCalls<string, string>(() => async (key) => {
    if (key === 'bad') throw new Error('cannot be read');
    return key;
  });
  const both = await Promise.allSettled([call('bad', never), call('good', never)]);
  expect(both.map((it) => it.status)).toEqual(['rejected', 'fulfilled']);
});

test('it is stopped when all who called are, and not before', async () => {
  const one = new AbortController();
  const other = new AbortController();
  let given: AbortSignal | undefined;
  const call = gatherCalls<'it', string>((_, signal) => {
    given = signal;
    return () =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
  });
  const both = [call('it', one.signal), call('it', other.signal)].map((it) =>
    it.catch((error: unknown) => error),
  );
  await nextTurn();
  one.abort(new Error('first'));
  expect(given?.aborted).toBe(false);
  other.abort(new Error('last'));
  expect(given?.aborted).toBe(true);
  expect(await Promise.all(both)).toEqual([new Error('last'), new Error('last')]);
  await expect(call('it', one.signal)).rejects.toThrow('first');
});
