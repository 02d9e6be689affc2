import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { KeptTrials } from './certificate/kept-trials';
import { certificatePage } from './certificate/page';
import { withReleases } from './certificate/releases-table';
import { isClean, type Trial } from './certificate/trial';
import {
  besideRelease,
  fuzz,
  type GivenRelease,
  incidents,
  recordings,
  scenariosBeside,
} from './certificate/trials';
import { SCENARIOS, USUAL } from './rig/scenarios/registry';
import { exitWith } from './support/exit-with';

const ROOT = resolve(__dirname, '..');
const USAGE =
  'usage: npm run -s certificate -- [--seeds <n>] [--steps <n>] [--seconds <n>] [--together <n>] [--release <name>=<controller>,<definitions>]… [--no-incidents] [--no-scenarios] [--scenarios <name>,…] [--trials <file>] [--out <file>]\n';

/** Options of which the page does not say where they lead. */
const PATHS: readonly string[] = ['--out', '--trials'];

/** `v1.14.41=<controller>,<definitions>`. */
function releaseIn(text: string): GivenRelease {
  const [, name, binary, definitions] = /^([^=,]+)=([^=,]+),([^=,]+)$/.exec(text) ?? [];
  if (!name || !binary || !definitions) throw new Error(`--release ${text}: ${USAGE}`);
  return { name, binary: resolve(binary), definitions: resolve(definitions) };
}

function given(words: readonly string[]) {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seeds: { type: 'string', default: '3' },
      steps: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '60' },
      together: { type: 'string', default: '1' },
      release: { type: 'string', multiple: true, default: [] },
      'no-incidents': { type: 'boolean', default: false },
      'no-scenarios': { type: 'boolean', default: false },
      scenarios: { type: 'string', default: SCENARIOS.map((it) => it.name).join(',') },
      trials: { type: 'string' },
      out: { type: 'string', default: join(ROOT, 'docs', 'certificate.md') },
    },
  });
  const figures = [values.seeds, values.steps, values.seconds, values.together].map(Number);
  if (figures.some((it) => !Number.isInteger(it) || it < 1)) throw new Error(USAGE);
  const [seeds, steps, seconds, together] = figures as [number, number, number, number];
  return {
    ...values,
    seeds,
    steps,
    seconds,
    together,
    scenarios: values['no-scenarios'] ? [] : values.scenarios.split(','),
    releases: values.release.map(releaseIn),
  };
}

const isUsual = (name: string): boolean => USUAL.some((it) => it.name === name);

/** Tries a release on servers of its own. */
type Try = () => Promise<readonly Trial[]>;

/**
 * Those of one release: its churn and usual scenarios, and the long ones, which mostly wait and so
 * may go beside others.
 */
function triesOf(
  release: GivenRelease,
  options: ReturnType<typeof given>,
  kept: KeptTrials,
): readonly Try[] {
  const { seeds, seconds, scenarios } = options;
  const usual = async (): Promise<readonly Trial[]> => {
    const trials: Trial[] = [];
    for (let seed = 1; seed <= seeds; seed += 1)
      trials.push(await besideRelease(release, seed, seconds));
    return [...trials, ...(await scenariosBeside(release, scenarios.filter(isUsual)))];
  };
  const long = scenarios.filter((it) => !isUsual(it));
  const part = `${release.name}, seeds ${seeds}, ${seconds} s, ${scenarios.join(',')}`;
  return [
    () => kept.of(part, usual),
    () => kept.of(`${part}, long`, () => scenariosBeside(release, long)),
  ];
}

/** As many tries at a time as `--together` says; the trials of each in the order of the releases. */
async function beside(options: ReturnType<typeof given>, kept: KeptTrials): Promise<Trial[]> {
  const tries = options.releases.flatMap((it) => triesOf(it, options, kept));
  const trials: (readonly Trial[])[] = [];
  const waiting = [...tries.entries()];
  const some = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      trials[next[0]] = await next[1]();
  };
  await Promise.all(Array.from({ length: options.together }, some));
  return trials.flat();
}

/**
 * The corpus, once; 0 when nothing was accused or removed wrongly and all else went as it should.
 */
async function main(words: readonly string[]): Promise<number> {
  const options = given(words);
  const { seeds, steps, out } = options;
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const kept = new KeptTrials(options.trials, commit.trim());
  const trials: Trial[] = await recordings();
  for (let seed = 1; seed <= seeds; seed += 1)
    trials.push(...(await kept.of(`fuzz, seed ${seed}, ${steps} steps`, () => fuzz(seed, steps))));
  if (!options['no-incidents']) trials.push(...(await kept.of('incidents', incidents)));
  trials.push(...(await beside(options, kept)));
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  // Paths are of one machine.
  const shown = words
    .filter((it, at) => !PATHS.includes(it) && !PATHS.includes(words[at - 1] ?? ''))
    .map((it) => it.replace(/^([^=,]+)=.*$/, '$1=…'))
    .join(' ');
  writeFileSync(
    resolve(out),
    certificatePage(trials, {
      version,
      commit: commit.trim(),
      day: new Date().toISOString().slice(0, 10),
      node: process.versions.node,
      platform: `${platform()} ${arch()}, ${cpus().length} cores`,
      command: `npm run -s certificate${shown === '' ? '' : ` -- ${shown}`}`,
    }),
  );
  const readme = join(ROOT, 'README.md');
  writeFileSync(readme, withReleases(readFileSync(readme, 'utf8'), trials));
  return trials.every(isClean) ? 0 : 2;
}

exitWith(main);
