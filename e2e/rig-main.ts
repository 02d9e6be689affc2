import { resolve } from 'node:path';
import { kubeOvn } from './rig/provided';
import { recordRig } from './rig/record-rig';
import { isRight, type RigRun, runRig } from './rig/run-rig';
import { SCENARIOS, USUAL } from './rig/scenarios/registry';
import { runScenarios } from './rig/scenarios/run-scenarios';
import type { Scenario } from './rig/scenarios/scenario';
import { exitWith } from './support/exit-with';

const USAGE =
  'usage: npm run -s rig -- [--seed <n>] [--seconds <n>]\n       npm run -s rig -- --scenarios [<name>…]\n       npm run -s rig -- --record <folder that is not there yet>\n';

function argumentsOf(words: readonly string[]): Record<'seed' | 'seconds', number> | undefined {
  const given = { seed: Date.now() % 100_000, seconds: 60 };
  for (let at = 0; at < words.length; at += 2) {
    const flag = words[at];
    const value = words[at + 1] ?? '';
    if ((flag !== '--seed' && flag !== '--seconds') || !/^\d+$/.test(value)) return undefined;
    given[flag === '--seed' ? 'seed' : 'seconds'] = Number(value);
  }
  return given;
}

const result = (run: RigRun): string => `${JSON.stringify({ right: isRight(run), ...run })}\n`;

/** Those that are named, all the usual ones where none is; undefined where one is not known. */
function scenariosOf(names: readonly string[]): readonly Scenario[] | undefined {
  if (names.length === 0) return USUAL;
  const found = SCENARIOS.filter((it) => names.includes(it.name));
  return found.length === names.length ? found : undefined;
}

async function playScenarios(names: readonly string[]): Promise<number> {
  const scenarios = scenariosOf(names);
  if (scenarios === undefined) {
    process.stderr.write(`${USAGE}scenarios: ${SCENARIOS.map((it) => it.name).join(', ')}\n`);
    return 1;
  }
  const { played, skipped } = await runScenarios(scenarios);
  // Where none could be played, nothing was shown to be right.
  const right = played.length > 0 && played.every((it) => it.right);
  process.stdout.write(`${JSON.stringify({ right, scenarios: played, skipped })}\n`);
  if (right) return 0;
  return played.length === 0 ? 3 : 2;
}

/** One run beside the real controller, one line of JSON; 0 when all is right, 3 where Kube-OVN is not to be had. */
async function main(words: readonly string[]): Promise<number> {
  const folder = words[0] === '--record' && words.length === 2 ? resolve(words[1]!) : undefined;
  const isScenarios = words[0] === '--scenarios';
  const given = argumentsOf(folder === undefined && !isScenarios ? words : []);
  if (given === undefined) {
    process.stderr.write(USAGE);
    return 1;
  }
  const missing = kubeOvn.missing();
  if (missing !== undefined) {
    process.stderr.write(`SKIPPED: ${missing}\n`);
    return 3;
  }
  if (folder !== undefined) {
    await recordRig(folder);
    return 0;
  }
  if (isScenarios) return playScenarios(words.slice(1));
  const run = await runRig(given.seed, given.seconds);
  process.stdout.write(result(run));
  return isRight(run) ? 0 : 2;
}

exitWith(main);
