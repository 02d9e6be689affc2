import { openShell, type Shell } from '../../support/shell';
import { type NetworkState, networkState } from '../network-state';
import { provided } from '../provided';
import { type Rig, startRig } from '../rig';
import { COLLECTS_EVERY, type Scenario, type Stage } from './scenario';

/** What came of one. */
export interface Played {
  readonly name: string;
  readonly right: boolean;
  /** What went wrong, a line each. */
  readonly wrong: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
  readonly seconds: number;
}

export interface ScenariosRun {
  readonly played: readonly Played[];
  /** Why the others could not be played, by name. */
  readonly skipped: Readonly<Record<string, string>>;
}

/**
 * Plays them one after the other beside the real controller, on an API server that checks rights.
 * Half a minute to start, then one to three each.
 */
export async function runScenarios(scenarios: readonly Scenario[]): Promise<ScenariosRun> {
  const rig = await startRig(provided(), COLLECTS_EVERY, { rights: true });
  const played: Played[] = [];
  const skipped: Record<string, string> = {};
  try {
    // The controller's own start takes the port of a free Vip (kube-ovn.md §5, reconcileVips): what
    // it leaves is healthy.
    await rig.restartController(COLLECTS_EVERY);
    const healthy = await networkState(rig);
    for (const scenario of scenarios) {
      const obstacle = scenario.missing?.();
      if (obstacle !== undefined) {
        process.stderr.write(`${scenario.name}: SKIPPED: ${obstacle}\n`);
        skipped[scenario.name] = obstacle;
        continue;
      }
      const outcome = await play(scenario, rig, healthy);
      played.push(outcome);
      process.stderr.write(
        `${outcome.name}: ${outcome.right ? 'right' : 'WRONG'}, ${outcome.seconds} s\n${outcome.wrong.map((line) => `  ${line}\n`).join('')}`,
      );
    }
    return { played, skipped };
  } finally {
    await rig.stop();
  }
}

/** Plays one, ends what it left running, and starts the controller anew for the next one. */
async function play({ name, run }: Scenario, rig: Rig, healthy: NetworkState): Promise<Played> {
  const began = Date.now();
  const figures: Record<string, number> = {};
  const shells: Shell[] = [];
  const shell: Stage['shell'] = (settings = {}) => {
    const opened = openShell({ ...rig.settingsOfExecutor, ...settings });
    shells.push(opened);
    return opened;
  };
  const measured: Stage['measured'] = (what, figure) => {
    figures[what] = figure;
  };
  const wrong = [...(await run({ rig, healthy, shell, measured }).catch(failure))];
  for (const it of shells) it.close();
  wrong.push(...(await rig.restartController(COLLECTS_EVERY).then(() => [], failure)));
  const seconds = Math.round((Date.now() - began) / 1000);
  return { name, right: wrong.length === 0, wrong, figures, seconds };
}

const failure = (error: unknown): readonly string[] => [
  error instanceof Error ? String(error.stack) : String(error),
];
