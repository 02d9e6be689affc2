import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openOvnSite } from './ovn/site';
import { appctl } from './ovn/tools';
import { makeScratch, removeScratch } from './run/guard';
import { startReady } from './run/ready';

/** What northd did since it started. */
export interface NorthdWork {
  /**
   * How often its main node computed again, by ovn-northd's own count (`inc-engine/show-stats`).
   */
  readonly runs: number;
  /**
   * Processor time in milliseconds, in steps of ten; undefined where it cannot be read
   * (containers).
   */
  readonly cpuMs: number | undefined;
}

/** A running ovn-northd. */
export interface Northd {
  work(): Promise<NorthdWork>;
  stop(): Promise<void>;
}

/**
 * Starts ovn-northd between two databases; ready when it has taken the lock of the Southbound one.
 */
export async function startNorthd({
  nb,
  sb,
  newer = false,
}: {
  readonly nb: string;
  readonly sb: string;
  /** That of OVN 25.03. */
  readonly newer?: boolean;
}): Promise<Northd> {
  const folder = makeScratch('northd');
  const site = await openOvnSite(folder, [], newer);
  const ctl = join(folder, 'ctl');
  const pidfile = join(folder, 'pid');
  const server = await startReady(
    site,
    {
      name: 'ovn-northd',
      program: 'ovn-northd',
      args: [
        `--ovnnb-db=${nb}`,
        `--ovnsb-db=${sb}`,
        `--unixctl=${ctl}`,
        `--pidfile=${pidfile}`,
        '-vsyslog:off',
      ],
      log: join(folder, 'log'),
    },
    {
      what: 'ovn-northd to be active',
      timeoutMs: 20_000,
      check: async () => (await appctl(site, ctl, ['status'])).includes('active'),
    },
  );
  return {
    work: async () => ({
      runs: runsIn(await appctl(site, ctl, ['inc-engine/show-stats'])),
      cpuMs: cpuOf(pidfile),
    }),
    async stop() {
      await server.stop();
      await site.close();
      removeScratch(folder);
    },
  };
}

/** `Node: northd`, then `- recompute: 12` and `- compute: 0`, then the other nodes. */
function runsIn(stats: string): number {
  const node = /Node: northd\n((?:- .*\n?)+)/.exec(stats)?.[1] ?? '';
  const counts = [...node.matchAll(/- (?:recompute|compute):\s+(\d+)/g)].map((it) => Number(it[1]));
  if (counts.length === 0)
    throw new Error(`ovn-northd counts its work in a way we do not know:\n${stats}`);
  return counts.reduce((sum, it) => sum + it, 0);
}

/** User and system time, in ticks of 10 ms (proc(5)). */
function cpuOf(pidfile: string): number | undefined {
  try {
    const fields = readFileSync(`/proc/${readFileSync(pidfile, 'utf8').trim()}/stat`, 'utf8')
      .split(') ')[1]!
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}
