import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCheckpoint } from '@ovn-steward/analyzer';
import { RECORDINGS } from './testing/truth';
import { startSteward, steward } from './testing/cli';

const LEAKY = join(RECORDINGS, 'leaky');
const args = (stateDir: string, ...more: string[]): string[] => [
  'run',
  '--ovn-nb',
  join(LEAKY, 'nb.db'),
  '--kubernetes',
  LEAKY,
  '--state-dir',
  stateDir,
  '--speed',
  '3600',
  ...more,
];

/** What stands, whatever the times. */
const standing = (stateDir: string): string[] =>
  readCheckpoint(join(stateDir, 'analyzer.db'))
    .findings.map((it) => `${it.id} ${it.state} ${it.summary}`)
    .sort();

/** Small, seeded, and printed, so that a failure can be had again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

test('killed again and again, it ends with the findings of an undisturbed run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-crash-'));
  const seed = Number(process.env['STEWARD_TEST_SEED'] ?? Date.now() % 100_000);
  console.info(`STEWARD_TEST_SEED=${seed}`);
  const next = random(seed);
  try {
    const calm = join(folder, 'calm');
    const stormy = join(folder, 'stormy');
    expect(await steward(args(calm, '--until-quiet', '4'))).toMatchObject({ code: 2, stderr: '' });
    for (let kill = 0; kill < 8; kill++) {
      const child = startSteward(args(stormy));
      const gone = new Promise((resolve) => child.on('close', resolve));
      await sleep(300 + next() * 1500);
      child.kill('SIGKILL');
      await gone;
    }
    expect(await steward(args(stormy, '--until-quiet', '4'))).toMatchObject({
      code: 2,
      stderr: '',
    });
    expect(standing(stormy)).toEqual(standing(calm));
    expect(standing(calm).every((it) => it.includes(' confirmed '))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
