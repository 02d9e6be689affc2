import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';

/** What a finished process took, from its start to its end. */
export interface Measured {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly seconds: number;
  /** Of all its threads, in user and system mode. */
  readonly cpuSeconds: number;
  /** The most memory it had at once, in MiB. */
  readonly rssMiB: number;
}

/** Runs a Node program in a process of its own; its errors go to ours. */
export async function runMeasured(program: string, args: readonly string[]): Promise<Measured> {
  const begin = process.hrtime.bigint();
  const child = spawn(
    process.execPath,
    ['--require', join(__dirname, 'report-usage.js'), program, ...args],
    { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] },
  );
  const exit = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('exit', resolve),
  );
  const [exitCode, stdout, usage] = await Promise.all([
    exit,
    text(child.stdout!),
    text(child.stdio[3] as Readable),
  ]);
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  if (usage === '')
    throw new Error(`${program} ended without saying what it used (exit code ${exitCode})`);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(usage) as NodeJS.ResourceUsage;
  return {
    exitCode,
    stdout,
    seconds,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    rssMiB: maxRSS / 1024,
  };
}
