import { setTimeout as sleep } from 'node:timers/promises';
import { gone } from '../../testing/script';
import type { Observation } from '../../source-kit/source';
import { gather } from './gather';

const never = new AbortController().signal;
const uids = (batch: readonly Observation[]): string[] =>
  batch.map((it) => (it.type === 'gone' ? it.uid : it.type));

/**
 * One observation at a time, as fast as it is asked; how many it was asked for, and whether it was
 * asked to end.
 */
function transactions(count: number, failure?: Error) {
  const requested = { for: 0, ended: false };
  const observe = async function* (): AsyncGenerator<readonly Observation[]> {
    try {
      for (let at = 0; at < count; at++) {
        requested.for += 1;
        yield [gone(String(at))];
      }
      if (failure) throw failure;
    } finally {
      requested.ended = true;
    }
  };
  return { asked: requested, observe };
}

test('gives to who was busy what came meanwhile, in order, as one', async () => {
  const { observe } = transactions(7);
  const batches: string[][] = [];
  for await (const batch of gather(observe, never)) {
    batches.push(uids(batch));
    await sleep(5);
  }
  expect(batches.flat()).toEqual(['0', '1', '2', '3', '4', '5', '6']);
  expect(batches.length).toBeLessThan(4);
});

test('gives to who waits what comes, at once', async () => {
  const gathered = gather(async function* () {
    yield [gone('a')];
    await sleep(60_000, undefined, { ref: false });
  }, never);
  expect(uids((await gathered.next()).value as readonly Observation[])).toEqual(['a']);
});

test('reads ahead so far and no further', async () => {
  const { observe, asked: requested } = transactions(5000);
  const gathered = gather(observe, never);
  await gathered.next();
  await sleep(20);
  const before = requested.for;
  expect(before).toBeLessThan(1010);
  expect(((await gathered.next()).value as unknown[]).length).toBeGreaterThanOrEqual(1000);
  await sleep(20);
  expect(requested.for).toBeGreaterThan(before);
  await gathered.return(undefined);
  expect(requested.ended).toBe(true);
});

test('fails after what was seen before', async () => {
  const { observe } = transactions(3, new Error('connection lost'));
  const seen: string[] = [];
  const all = async (): Promise<void> => {
    for await (const batch of gather(observe, never)) seen.push(...uids(batch));
  };
  await expect(all()).rejects.toThrow('connection lost');
  expect(seen).toEqual(['0', '1', '2']);
});

test('asks the reader to end when nobody takes any more', async () => {
  let reported = false;
  const gathered = gather(async function* (signal) {
    yield [gone('a')];
    await sleep(60_000, undefined, { signal }).catch(() => {
      reported = true;
    });
  }, never);
  for await (const _ of gathered) break;
  expect(reported).toBe(true);
});
