import { join } from 'node:path';
import { costPerChange } from './cost-per-change';
import { inNewFolder } from './in-new-folder';
import { measureAudit } from './measure-audit';
import { roundTo } from './round-to';
import { writeWorld } from './world/write-world';

/** What the goals are about. */
interface AuditFigures {
  readonly ports: number;
  readonly pods: number;
  /** Wall time and peak memory of one `steward audit` of files, process start and end included. */
  readonly seconds: number;
  readonly rssMiB: number;
  /** The mean cost of one change to a pod, its port or its IP object in a world of this size. */
  readonly secondsPerChange: number;
  /** That cost over the cost in a world of 1,000 ports. */
  readonly costRatio: number;
}

const SMALL = 1000;

/**
 * Writes a world, audits it in a process of its own, checks the answer, then measures changes to
 * it.
 * @throws Error when the answer is wrong.
 */
export function benchAudit({ ports }: { readonly ports: number }): Promise<AuditFigures> {
  return inNewFolder(async (folder) => {
    const world = await writeWorld(join(folder, 'world'), { ports });
    const small = await writeWorld(join(folder, 'small'), { ports: SMALL });
    const measured = await measureAudit(world);
    const change = await costPerChange(world, small);
    return {
      ports,
      pods: world.pods,
      seconds: roundTo(measured.seconds, 2),
      rssMiB: roundTo(measured.rssMiB, 1),
      secondsPerChange: roundTo(change.seconds, 7),
      costRatio: roundTo(change.ratio, 2),
    };
  });
}
