import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inNewFolder } from './in-new-folder';
import { measureAudit } from './measure-audit';
import { roundTo } from './round-to';
import { writeWorld } from './world/write-world';

/** An audit beside a program that only reads the same dump. */
interface JqFigures {
  readonly ports: number;
  readonly pods: number;
  readonly dumpMiB: number;
  /**
   * Wall time of `jq -c '.items[].metadata.uid'` on the dump, and of the whole audit: the dump, the
   * database and the judgement.
   */
  readonly jqSeconds: number;
  readonly auditSeconds: number;
  /** The audit's over jq's. */
  readonly ratio: number;
  /** The most memory that the audit had at once. */
  readonly rssMiB: number;
}

/**
 * Seconds that jq takes for the uids of a dump.
 * @throws Error when it is not installed or cannot read the dump.
 */
async function secondsOfJq(dump: string): Promise<number> {
  const begin = process.hrtime.bigint();
  const child = spawn('jq', ['-c', '.items[].metadata.uid', dump], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`jq ended with ${code} on ${dump}`);
  return Number(process.hrtime.bigint() - begin) / 1e9;
}

/**
 * Writes a world, lets jq read its dump, and audits it. jq runs before and after; the mean counts,
 * so that other work on the machine touches both.
 */
export function benchJq({ ports }: { readonly ports: number }): Promise<JqFigures> {
  return inNewFolder(async (folder) => {
    const world = await writeWorld(join(folder, 'world'), { ports });
    const dump = join(world.kubernetes, 'kubernetes.json');
    const before = await secondsOfJq(dump);
    const audit = await measureAudit(world);
    const jqSeconds = (before + (await secondsOfJq(dump))) / 2;
    return {
      ports,
      pods: world.pods,
      dumpMiB: Math.round((await stat(dump)).size / 2 ** 20),
      jqSeconds: roundTo(jqSeconds, 2),
      auditSeconds: roundTo(audit.seconds, 2),
      ratio: roundTo(audit.seconds / jqSeconds, 2),
      rssMiB: roundTo(audit.rssMiB, 1),
    };
  });
}
