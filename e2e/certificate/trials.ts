import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  observeAt,
  missedOf,
  recordingNames,
  truthOf,
  wronglyAccused,
} from '../../apps/steward/src/testing/truth';
import { messageOf } from '@ovn-steward/shared/errors';
import type { Played } from '../rig/scenarios/run-scenarios';
import type { Trial } from './trial';

const ROOT = resolve(__dirname, '..', '..');

type Figures = Readonly<Record<string, unknown>>;

/**
 * The last line of JSON that a tool of this repository printed; its exit code says nothing that the
 * line does not.
 */
async function lineOf(
  tool: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<unknown> {
  const child = spawn(process.execPath, [resolve(ROOT, 'tools', tool), ...words], {
    cwd: ROOT,
    env: { ...process.env, ...env, STEWARD_BUILT: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const last = stdout.trim().split('\n').at(-1) ?? '';
  if (!/^[[{]/.test(last)) throw new Error(`${tool} ${words.join(' ')} ended without a result`);
  return JSON.parse(last);
}

const sum = (figures: Figures, ...names: readonly string[]): number =>
  names.reduce((all, it) => all + Number(figures[it]), 0);

const lengthOf = (it: unknown): number => (Array.isArray(it) ? it.length : 0);

/** Every recorded cluster, audited and held against its truth. */
export async function recordings(): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const name of recordingNames()) {
    const engine = await observeAt(name);
    const truth = truthOf(name);
    const findings = engine.findings();
    trials.push({
      what: `recording ${name}`,
      ...releaseOfRecording(name),
      command: 'npm test -- apps/steward/src/recordings.test.ts',
      amount: `${truth.filter((it) => it.expect !== 'keep').length} planted`,
      accused: wronglyAccused(findings, truth).length,
      deleted: 0,
      missed: missedOf(findings, truth).length + missedOf(findings, truth, 'optional').length,
      right: engine.unknowns().length === 0,
    });
  }
  return trials;
}

/** `kube-ovn-1.15.24/clean`; the others are of no release that is published. */
function releaseOfRecording(name: string): Pick<Trial, 'of'> {
  const [, version] = /^kube-ovn-([^/]+)\//.exec(name) ?? [];
  return version === undefined ? {} : { of: { release: `v${version}`, way: 'recording' } };
}

/** Random histories against the rules, and against the executor. */
export async function fuzz(seed: number, steps: number): Promise<Trial[]> {
  const words = (what: string) => [what, '--steps', `${steps}`, '--seed', `${seed}`];
  const command = (what: string) => `npm run -s fuzz -- ${words(what).join(' ')}`;
  const rules = (await lineOf('fuzz.cjs', [...words('rules'), '--output', 'json'])) as Figures;
  const executor = (await lineOf('fuzz.cjs', [
    ...words('executor'),
    '--output',
    'json',
  ])) as Figures;
  return [
    {
      what: `rules, seed ${seed}`,
      command: command('rules'),
      amount: `${String(rules['steps'])} steps`,
      accused: sum(rules, 'wrongAccusations'),
      deleted: 0,
      missed: sum(rules, 'missedLeaks', 'missedOutages'),
      right: sum(rules, 'differences', 'unexpectedErrors') === 0,
    },
    {
      what: `executor, seed ${seed}`,
      command: command('executor'),
      amount: `${String(executor['steps'])} steps, ${String(executor['removals'])} removals`,
      accused: 0,
      deleted: sum(executor, 'wrongDeletions', 'doubleEffects', 'heldEffects', 'unbrakedEffects'),
      missed: 0,
      right: sum(executor, 'lostOutcomes', 'undoMismatches', 'unexpectedErrors') === 0,
    },
  ];
}

/** The incidents of the field, played on real servers without and with ovn-steward. */
export async function incidents(): Promise<Trial[]> {
  const runs = (await lineOf('e2e.cjs', ['incidents', '--output', 'json'])) as readonly Figures[];
  return runs.map((run) => ({
    what: `incident ${String(run['name'])}`,
    command: `npm run -s e2e -- incidents --only ${String(run['name'])}`,
    amount: `${String(run['seconds'])} s`,
    accused: 0,
    deleted: 0,
    missed: 0,
    right: run['asTold'] === true,
  }));
}

/** A release of Kube-OVN, as a person gives it. */
export interface GivenRelease {
  readonly name: string;
  readonly binary: string;
  readonly definitions: string;
}

const besideIt = (release: GivenRelease, words: readonly string[]): Promise<unknown> =>
  lineOf('rig.cjs', words, {
    STEWARD_TEST_KUBE_OVN: release.binary,
    STEWARD_TEST_KUBE_OVN_CRDS: release.definitions,
    // `v1.17.0-dev` is judged as the release that it becomes.
    STEWARD_TEST_KUBE_OVN_RELEASE: release.name.replace(/-.*$/, ''),
  });

/** A run that broke off proves nothing, and is no reason to lose what the others showed. */
const WITHOUT_RESULT = {
  amount: 'ended without a result',
  accused: 0,
  deleted: 0,
  missed: 0,
  right: false,
} as const;

function withoutResult(error: unknown): undefined {
  process.stderr.write(`${messageOf(error)}\n`);
  return undefined;
}

/** Beside that release's own controller, in a cluster that is used. */
export async function besideRelease(
  release: GivenRelease,
  seed: number,
  seconds: number,
): Promise<Trial> {
  const words = ['--seed', `${seed}`, '--seconds', `${seconds}`];
  const tried = {
    what: `Kube-OVN ${release.name}, seed ${seed}`,
    of: { release: release.name, way: 'churn' },
    command: `npm run -s rig -- ${words.join(' ')}`,
  } as const;
  const run = (await besideIt(release, words).catch(withoutResult)) as Figures | undefined;
  if (run === undefined) return { ...tried, ...WITHOUT_RESULT };
  const wrong = ['accused', 'confirmed', 'besides'].flatMap((it) => run[it] as readonly string[]);
  for (const it of wrong) process.stderr.write(`${tried.what}: ${it}\n`);
  const acts = Object.values(run['acts'] as Record<string, number>).reduce((a, b) => a + b, 0);
  return {
    ...tried,
    amount: `${acts} acts in ${seconds} s`,
    accused: lengthOf(run['accused']) + lengthOf(run['confirmed']),
    deleted: lengthOf(run['besides']),
    missed: lengthOf(run['leaked']) - lengthOf(run['found']),
    right: run['right'] === true,
  };
}

/**
 * These scenarios of the rig beside that release's own controller. What was lost that was to stay
 * counts as deleted.
 */
export async function scenariosBeside(
  release: GivenRelease,
  names: readonly string[],
): Promise<Trial[]> {
  if (names.length === 0) return [];
  const tried = (name: string) =>
    ({
      what: `Kube-OVN ${release.name}, scenario ${name}`,
      of: { release: release.name, way: 'scenario' },
      command: `npm run -s rig -- --scenarios ${name}`,
    }) as const;
  const played = (await besideIt(release, ['--scenarios', ...names]).catch(withoutResult)) as
    { readonly scenarios: Played[] } | undefined;
  if (played === undefined) return names.map((it) => ({ ...tried(it), ...WITHOUT_RESULT }));
  return played.scenarios.map(({ name, right, wrong, seconds }) => ({
    ...tried(name),
    amount: `${seconds} s`,
    accused: wrong.filter((it) => it.startsWith('accused: ')).length,
    deleted: wrong.filter((it) => it.includes(': lost: ')).length,
    missed: wrong.filter((it) => it.startsWith('not found: ')).length,
    right,
  }));
}
