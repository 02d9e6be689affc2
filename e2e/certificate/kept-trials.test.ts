import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeptTrials } from './kept-trials';
import type { Trial } from './trial';

const trial = (right = true): Trial => ({
  what: 'a',
  command: 'npm run -s rig',
  amount: '1 s',
  accused: 0,
  deleted: 0,
  missed: 0,
  right,
});

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'trials-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Tries a part as one process after the other does; gives its trials and how often it was tried. */
async function trying(commits: readonly string[], outcomes: readonly boolean[]) {
  let tried = 0;
  let trials: readonly Trial[] = [];
  for (const commit of commits)
    trials = await new KeptTrials(join(folder, 'trials'), commit).of('rig', async () => [
      trial(outcomes[tried++]),
    ]);
  return { tried, trials };
}

test('what was clean is not tried again at the same commit', async () =>
  expect(await trying(['c', 'c'], [true, true])).toEqual({ tried: 1, trials: [trial()] }));

test('another commit tries anew, as if for the first time', async () =>
  expect(await trying(['c', 'd'], [false, true])).toEqual({ tried: 2, trials: [trial()] }));

test('what was not clean is tried again, and says so', async () =>
  expect(await trying(['c', 'c', 'c'], [false, true])).toEqual({
    tried: 2,
    trials: [{ ...trial(), nth: 2 }],
  }));

test('each part is kept under its own name', async () => {
  const kept = new KeptTrials(join(folder, 'trials'), 'c');
  await kept.of('one', async () => [trial()]);
  expect(await kept.of('other', async () => [])).toEqual([]);
  const parts = readFileSync(join(folder, 'trials'), 'utf8').trim().split('\n');
  expect(parts.map((it) => (JSON.parse(it) as { part: string }).part)).toEqual(['one', 'other']);
});

test('without a file nothing is kept for another process', async () => {
  const tries = ['c', 'c'].map(async (commit) => {
    let tried = 0;
    await new KeptTrials(undefined, commit).of('one', async () => {
      tried += 1;
      return [trial()];
    });
    return tried;
  });
  expect(await Promise.all(tries)).toEqual([1, 1]);
});
