import { openShell } from '../../support/shell';
import { networkState } from '../network-state';
import { provided } from '../provided';
import { startRig } from '../rig';
import type { Scenario } from './scenario';
import { COLLECTS_EVERY } from './scenario';

/** What came of one. */
export interface Played {
  readonly name: string;
  readonly right: boolean;
  /** What went wrong, a line each. */
  readonly wrong: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/**
 * Plays them one after the other beside the real controller, on an API server that checks rights.
 * Half a minute to start, then one to three each.
 */
export async function runScenarios(scenarios: readonly Scenario[]): Promise<readonly Played[]> {
  const rig = await startRig(provided(), COLLECTS_EVERY, { rights: true });
  const played: Played[] = [];
  try {
    // The controller's own start takes the port of a free Vip (kube-ovn.md §5, reconcileVips): what
    // it leaves is healthy.
    await rig.restartController(COLLECTS_EVERY);
    const healthy = await networkState(rig);
    for (const { name, run, missing } of scenarios) {
      const obstacle = missing?.();
      if (obstacle !== undefined) {
        process.stderr.write(`${name}: SKIPPED: ${obstacle}\n`);
        continue;
      }
      const began = Date.now();
      const figures: Record<string, number> = {};
      const wrong = await run({
        rig,
        healthy,
        shell: (settings = {}) => openShell({ ...rig.settingsOfExecutor, ...settings }),
        measured: (what, figure) => {
          figures[what] = figure;
        },
      }).catch((error: unknown) => [error instanceof Error ? String(error.stack) : String(error)]);
      const seconds = Math.round((Date.now() - began) / 1000);
      played.push({ name, right: wrong.length === 0, wrong, figures, seconds });
      process.stderr.write(
        `${name}: ${wrong.length === 0 ? 'right' : 'WRONG'}, ${seconds} s\n${wrong.map((it) => `  ${it}\n`).join('')}`,
      );
      // The next one begins as this one did.
      await rig.restartController(COLLECTS_EVERY);
    }
    return played;
  } finally {
    await rig.stop();
  }
}
