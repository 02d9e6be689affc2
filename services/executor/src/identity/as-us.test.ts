import { asUs } from './as-us';

const signal = new AbortController().signal;
const about = { rule: 'leaked-ip' } as never;

/** What is asked, in its order; fresh after so many times. */
function requested(freshAfter: number, holds: readonly (string | undefined)[] = []) {
  const calls: string[] = [];
  let times = 0;
  const check = asUs(
    {
      check: async () => void calls.push('who'),
      isFresh: () => (times += 1) >= freshAfter,
    },
    {
      now: async () => {
        calls.push('holds');
        return holds[calls.filter((it) => it === 'holds').length - 1];
      },
      removal: async () => {
        calls.push('holds');
        const reason = holds[calls.filter((it) => it === 'holds').length - 1];
        return reason === undefined ? undefined : { code: 'held', reason };
      },
    },
  );
  return {
    calls,
    now: () => check.now(about, undefined, signal),
    removal: () => check.removal(about, [], signal),
  };
}

test('asks who answers, then for holds, once', async () => {
  const requests = requested(1);
  expect(await requests.now()).toBeUndefined();
  expect(requests.calls).toEqual(['who', 'holds']);
});

test('asks both again where the log was slow: somebody said stop meanwhile', async () => {
  const requests = requested(2, [undefined, 'anna holds it']);
  expect(await requests.now()).toBe('anna holds it');
  expect(requests.calls).toEqual(['who', 'holds', 'who', 'holds']);
});

test('a removal is asked about likewise', async () => {
  const requests = requested(2, [undefined, 'anna protects it']);
  expect(await requests.removal()).toEqual({ code: 'held', reason: 'anna protects it' });
  expect(requests.calls).toEqual(['who', 'holds', 'who', 'holds']);
});

test('nothing is sent where the log is slow each time', async () => {
  const requests = requested(4);
  await expect(requests.now()).rejects.toMatchObject({ code: 'log-unavailable' });
  expect(requests.calls).toHaveLength(6);
});

test('a hold that was found ends it, however long that took', async () => {
  const requests = requested(4, ['anna holds it']);
  expect(await requests.now()).toBe('anna holds it');
  expect(requests.calls).toEqual(['who', 'holds']);
});

test('where others answer nobody is asked for holds, and nothing is sent', async () => {
  const others = new Error('these are others');
  const holds: string[] = [];
  const check = asUs(
    { check: () => Promise.reject(others), isFresh: () => true },
    { now: async () => void holds.push('holds'), removal: async () => void holds.push('holds') },
  );
  await expect(check.now(about, undefined, signal)).rejects.toBe(others);
  expect(holds).toEqual([]);
});

test('asks for the hold on this write, by the exception that may let it through', async () => {
  const given: unknown[] = [];
  const check = asUs(
    { check: async () => undefined, isFresh: () => true },
    { now: async (...it) => void given.push(...it), removal: async () => undefined },
  );
  await check.now(about, 'undo', signal);
  expect(given).toEqual([about, 'undo', signal]);
});
