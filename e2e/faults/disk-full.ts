import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../support/service';
import type { Fault } from './fault';

/**
 * A program runs in a mount namespace of its own, where `folder` is a small disk: nobody else sees
 * it, and it goes with the program.
 */
const onSmallDisk = (folder: string): readonly string[] => [
  'unshare',
  '--mount',
  '--map-root-user',
  'sh',
  '-c',
  'mount -t tmpfs -o size=24m steward "$0" && exec "$@"',
  folder,
];

const FILLER = 'filler';

/** Writes into the service's own view of the folder until its disk takes no more. */
function fill(pid: number, folder: string): void {
  const file = openSync(join(`/proc/${pid}/root`, folder, FILLER), 'w');
  try {
    for (const size of [1 << 20, 4096, 1]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(file);
  }
}

export const diskFull: Fault = {
  breaks: 'the disks of collector and analyzer full',
  missing: () =>
    spawnSync('unshare', ['--mount', '--map-root-user', 'true']).status === 0
      ? undefined
      : 'this user may not make mount namespaces (unshare --mount --map-root-user)',
  async strike(bed, random, busy) {
    await Promise.all([bed.collector.kill(), bed.analyzer.kill()]);
    const folder = mkdtempSync(join(tmpdir(), 'steward-disk-'));
    const small = (name: 'collector' | 'analyzer'): Promise<Service> =>
      bed.another(name, {
        wrapper: onSmallDisk(folder),
        settings: { stateDir: join(folder, 'state') },
      });
    const services = [await small('collector'), await small('analyzer')];
    try {
      await Promise.all(services.map((it) => it.ready()));
      await sleep(500 + random() * 1000);
      const filled = services.map((service) => {
        const pid = service.pid();
        if (pid === undefined) throw new Error(`${service.name} does not run`);
        fill(pid, folder);
        return pid;
      });
      await sleep(4000);
      services.forEach((service, at) => {
        const pid = service.pid(); // one that ended has a new disk, which nobody filled
        if (pid === filled[at]) rmSync(join(`/proc/${pid}/root`, folder, FILLER), { force: true });
      });
      await busy;
      await Promise.all(services.map((it) => it.ready()));
    } finally {
      await Promise.all(services.map((it) => it.stop()));
      bed.collector.start();
      bed.analyzer.start();
      rmSync(folder, { recursive: true, force: true });
    }
    await Promise.all([bed.collector.ready(), bed.analyzer.ready()]);
  },
};
