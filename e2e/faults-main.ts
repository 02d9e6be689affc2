import { CALM, type FaultRun, runFault } from './faults/run-faults';
import { FAULTS } from './faults/registry';
import { startBed } from './support/bed';
import { isClean } from './support/verdict';
import { exitWith } from './support/exit-with';

const USAGE =
  'usage: npm run -s faults -- [--seed <n>] [--only <words of a fault>] [--output text|json]\n';

interface Arguments {
  readonly seed: number;
  readonly only: string;
  readonly json: boolean;
}

function argumentsOf(words: readonly string[]): Arguments | undefined {
  let seed = Date.now() % 100_000;
  let only = '';
  let json = false;
  for (let at = 0; at < words.length; at += 2) {
    const flag = words[at];
    const value = words[at + 1];
    if (flag === '--seed' && value !== undefined && /^\d+$/.test(value)) seed = Number(value);
    else if (flag === '--only' && value !== undefined) only = value;
    else if (flag === '--output' && (value === 'json' || value === 'text')) json = value === 'json';
    else return undefined;
  }
  return { seed, only, json };
}

const line = (run: FaultRun): string =>
  [
    `${isClean(run) ? 'ok  ' : 'FAIL'} ${run.seconds.toFixed(0).padStart(4)} s  ${run.breaks}`,
    ...[...run.lost, ...run.duplicated, ...run.differing]
      .slice(0, 20)
      .map((each) => `       ${each}`),
  ].join('\n');

/**
 * Every fault once, with that seed, on one bed; 0 when nothing was lost, doubled or found
 * otherwise.
 */
async function main(words: readonly string[]): Promise<number> {
  const given = argumentsOf(words);
  if (given === undefined) {
    process.stderr.write(USAGE);
    return 1;
  }
  const { seed, only, json } = given;
  const chosen = [CALM, ...FAULTS].filter((it) => it.breaks.includes(only));
  const bed = await startBed();
  const runs: FaultRun[] = [];
  try {
    for (const fault of chosen) {
      const missing = fault.missing?.();
      if (missing !== undefined) process.stderr.write(`SKIPPED ${fault.breaks}: ${missing}\n`);
      else {
        const run = await runFault(bed, fault, seed);
        runs.push(run);
        process.stderr.write(`${line(run)}\n`);
      }
    }
  } finally {
    await bed.stop();
  }
  const count = (what: 'lost' | 'duplicated' | 'differing'): number =>
    runs.reduce((sum, it) => sum + it[what].length, 0);
  const result = {
    seed,
    runs: runs.length,
    lost: count('lost'),
    duplicated: count('duplicated'),
    differing: count('differing'),
  };
  process.stdout.write(
    json
      ? `${JSON.stringify(result)}\n`
      : `seed ${seed}: ${result.runs} runs, ${result.lost} lost, ${result.duplicated} duplicated, ${result.differing} differing\n`,
  );
  return runs.every(isClean) ? 0 : 1;
}

exitWith(main);
