import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { costPerChange } from '../cost-per-change';
import { inNewFolder } from '../in-new-folder';
import { runMeasured } from '../measured-process';
import { requirePlanted } from '../require-planted';
import { roundTo } from '../round-to';
import { writeWorld } from '../world/write-world';
import type { ScaleResult, ScaleTask } from './scale-process';

/** What a world of that size costs a process that holds all of it. */
interface ScaleFigures {
  readonly ports: number;
  readonly pods: number;
  /** Changes a second through collector, embedded log and analyzer, after everything was read. */
  readonly eventsPerSecond: number;
  /** The most memory of the one process that does all of it. */
  readonly rssMiB: number;
  /** The engine's cost of one change over that in a world of 1,000 ports. */
  readonly costRatio: number;
  /** From the start of the process, with no state, to all findings. */
  readonly secondsToFindings: number;
}

const SMALL = 1000;
const CHANGES = 40_000;

/**
 * One process reads a world from files, finds all that is planted, and follows changes.
 * @throws Error when it finds anything else.
 */
export function benchScale({ ports }: { readonly ports: number }): Promise<ScaleFigures> {
  return inNewFolder(async (folder) => {
    const world = await writeWorld(join(folder, 'world'), { ports });
    const small = await writeWorld(join(folder, 'small'), { ports: SMALL });
    const state = join(folder, 'state');
    await mkdir(state);
    const task: ScaleTask = {
      northbound: world.northbound,
      kubernetes: world.kubernetes,
      folder: state,
      changes: CHANGES,
    };
    const measured = await runMeasured(join(__dirname, 'scale-process.js'), [JSON.stringify(task)]);
    if (measured.exitCode !== 0) throw new Error(`the process ended with ${measured.exitCode}`);
    const { findings, eventsPerSecond, secondsToFindings } = JSON.parse(
      measured.stdout,
    ) as ScaleResult;
    process.stderr.write(`one process: ${measured.cpuSeconds.toFixed(1)} s of processor time\n`);
    requirePlanted('the pipeline', findings, world);
    const { ratio } = await costPerChange(world, small);
    return {
      ports,
      pods: world.pods,
      eventsPerSecond: Math.round(eventsPerSecond),
      rssMiB: roundTo(measured.rssMiB, 1),
      costRatio: roundTo(ratio, 2),
      secondsToFindings: roundTo(secondsToFindings, 1),
    };
  });
}
