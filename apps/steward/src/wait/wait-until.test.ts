import { Failure } from '@ovn-steward/shared/errors';
import { waitUntil } from './wait-until';

type Observation = readonly string[] | Error;

/** Reads that return these things one after the other, the last forever. */
function observing(...reported: readonly Observation[]) {
  const said: string[] = [];
  let observations = 0;
  const observe = async (): Promise<readonly string[]> => {
    const next = reported[Math.min(observations++, reported.length - 1)]!;
    if (next instanceof Error) throw next;
    return next;
  };
  return {
    said,
    reads: () => observations,
    wait: (timeoutMs: number) =>
      waitUntil({ observe, print: (line) => said.push(line), timeoutMs, everyMs: 5 }),
  };
}
const DOWN = new Failure('source-unreachable', 'Nobody answers.');

test('ends when nothing is waited for any more, and says each change once', async () => {
  const observed = observing(['a'], ['a'], ['a', 'b'], ['b'], []);
  expect(await observed.wait(60_000)).toMatchObject({
    there: true,
    waitsFor: [],
    trouble: undefined,
  });
  expect(observed.said).toEqual(['Waiting for a.', 'Waiting for a; b.', 'Waiting for b.']);
});

test('a read that fails is no answer: it goes on, and what was missing is still missing', async () => {
  const observed = observing(['a'], DOWN, DOWN, ['a'], []);
  expect(await observed.wait(60_000)).toMatchObject({ there: true });
  expect(observed.said).toEqual([
    'Waiting for a.',
    'The state could not be read; trying again: Nobody answers.',
    'Waiting for a.',
  ]);
});

test('ends when the time is over, with what was last missing', async () => {
  expect(await observing(['a'], ['b']).wait(40)).toMatchObject({
    there: false,
    waitsFor: ['b'],
    trouble: undefined,
  });
  expect(await observing(['a'], DOWN).wait(40)).toMatchObject({
    there: false,
    waitsFor: ['a'],
    trouble: 'Nobody answers.',
  });
});

test('reads once where no time is given', async () => {
  const observed = observing(['a'], []);
  const there = observing([]);
  expect([await observed.wait(0), observed.reads()]).toMatchObject([
    { there: false, waitsFor: ['a'] },
    1,
  ]);
  expect(await there.wait(0)).toMatchObject({ there: true });
});

test('a read that never answers ends with the time, and is not taken for an answer', async () => {
  const hanging = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  expect(
    await waitUntil({ observe: hanging, print: () => undefined, timeoutMs: 40, everyMs: 5 }),
  ).toMatchObject({
    there: false,
    waitsFor: [],
    trouble: 'the first read had no answer when the time was over',
  });
});

test('what trying again cannot mend ends it at once', async () => {
  const observed = observing(new Failure('config-invalid', 'No such context.'));
  await expect(observed.wait(60_000)).rejects.toMatchObject({ code: 'config-invalid' });
});

test('what a cluster says is safe to print', async () => {
  const observed = observing(['\u001b[31mred'], []);
  await observed.wait(60_000);
  expect(observed.said).toEqual(['Waiting for \\u001b[31mred.']);
});
