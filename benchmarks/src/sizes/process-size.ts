import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '../pipeline/task';
import { roundTo } from '../round-to';

const MIB = 1_048_576;
/** Of Linux on every architecture Node runs on (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/** What a process needed from its start until now. */
export interface ProcessSize {
  /** Of all its threads, in user and system mode. */
  readonly cpuSeconds: number;
  /** The most memory at once (`VmHWM`). */
  readonly rssMiB: number;
  /** Its state files. */
  readonly diskMiB: number;
}

/** Reads `/proc` (proc(5)), so it works on Linux alone, while the process lives. */
export async function sizeOf({
  pid,
  folder,
}: Pick<Task, 'pid'> & { readonly folder: string }): Promise<ProcessSize> {
  const [status, times] = await Promise.all(
    ['status', 'stat'].map((it) => readFile(`/proc/${pid}/${it}`, 'utf8')),
  );
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status!)![1];
  const fields = times!.slice(times!.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]); // utime, stime
  return {
    cpuSeconds: roundTo(ticks / TICKS_PER_SECOND, 1),
    rssMiB: roundTo(Number(kib) / 1024, 0),
    diskMiB: roundTo((await bytesIn(folder)) / MIB, 1),
  };
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map((it) => stat(join(folder, it))));
  return sizes.reduce((sum, it) => sum + it.size, 0);
}
