import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inNewFolder } from '../in-new-folder';
import { runMeasured } from '../measured-process';
import { roundTo } from '../round-to';
import { writeWorld } from '../world/write-world';
import type { SoakResult, SoakTask } from './soak-process';

/**
 * What grows in a process that follows changes for long, from the end of the first tenth of the
 * time to its end.
 */
interface SoakFigures {
  readonly ports: number;
  readonly minutes: number;
  readonly changes: number;
  /** After a full garbage collection each. */
  readonly heapGrowthMiB: number;
  readonly rssGrowthMiB: number;
  readonly handleGrowth: number;
  /** Open files; 0 where the system does not say. */
  readonly fileGrowth: number;
  /** The most records that waited to be judged, of twenty samples. */
  readonly mostLag: number;
}

/**
 * Collector, embedded log and analyzer in one process; ports, pods and addresses are changed,
 * removed and recreated all the time.
 */
export function benchSoak({
  ports,
  minutes,
}: {
  readonly ports: number;
  readonly minutes: number;
}): Promise<SoakFigures> {
  return inNewFolder(async (folder) => {
    const { northbound, kubernetes } = await writeWorld(join(folder, 'world'), { ports });
    const state = join(folder, 'state');
    await mkdir(state);
    const task: SoakTask = { northbound, kubernetes, folder: state, minutes };
    const measured = await runMeasured(join(__dirname, 'soak-process.js'), [JSON.stringify(task)]);
    if (measured.exitCode !== 0) throw new Error(`the process ended with ${measured.exitCode}`);
    const { changes, early, late, mostLag } = JSON.parse(measured.stdout) as SoakResult;
    return {
      ports,
      minutes,
      changes,
      heapGrowthMiB: roundTo(late.heapMiB - early.heapMiB, 1),
      rssGrowthMiB: roundTo(late.rssMiB - early.rssMiB, 1),
      handleGrowth: late.handles - early.handles,
      fileGrowth: late.files - early.files,
      mostLag,
    };
  });
}
