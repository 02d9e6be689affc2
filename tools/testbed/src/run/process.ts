import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardGroup, releaseGroup } from './guard';

export interface ProcessSpec {
  /** What to call it in errors. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Where its output goes, appended. */
  readonly log: string;
}

/** A server process of ours: a process group of its own, killed at the latest when this process ends. */
export interface ServerProcess {
  readonly pid: number;
  readonly name: string;
  running(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Ends it: SIGTERM, and SIGKILL after ten seconds. A stopped (SIGSTOP) process is ended too. */
  stop(): Promise<void>;
  /** Ends it as a crash would: SIGKILL. */
  kill(): Promise<void>;
  /** The last lines of its output. */
  logTail(): string;
}

/** Starts a server process; throws when the program cannot be executed at all. */
export async function startProcess(spec: ProcessSpec): Promise<ServerProcess> {
  const log = openSync(spec.log, 'a');
  const child = spawn(spec.command, [...spec.args], { cwd: spec.cwd, env: { ...process.env, ...spec.env }, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`cannot start ${spec.name}: ${error.message}`, { cause: error })));
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
  guardGroup(pid);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void ended.then(() => releaseGroup(pid));
  child.unref();
  const running = (): boolean => child.exitCode === null && child.signalCode === null;
  const signal = (name: NodeJS.Signals): void => {
    if (running()) process.kill(-pid, name);
  };
  const end = (): Promise<void> => {
    child.ref(); // from here on its end is waited for
    return ended;
  };
  const kill = (): Promise<void> => {
    signal('SIGKILL');
    return end();
  };
  return {
    pid,
    name: spec.name,
    running,
    signal,
    kill,
    stop: async () => {
      signal('SIGTERM');
      signal('SIGCONT');
      const given = new AbortController();
      await Promise.race([end(), sleep(10_000, undefined, { signal: given.signal }).then(kill, () => undefined)]);
      given.abort();
    },
    logTail: () => readFileSync(spec.log, 'utf8').split('\n').slice(-25).join('\n').trim(),
  };
}
