import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '../provision/command';
import { guardGroup, releaseGroup } from './guard';
import { logTail } from './log-tail';
import type { Server, ServerSpec, Site } from './server';

export interface LocalPrograms {
  /** Where each program stands. */
  readonly paths: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs programs as processes of this machine, in and around `folder`. */
export function localSite({ paths, env }: LocalPrograms, folder: string): Site {
  const pathOf = (program: string): string => {
    const path = Object.hasOwn(paths, program) ? paths[program] : undefined;
    if (path === undefined)
      throw new Error(
        `${program} is not among the provisioned programs: ${Object.keys(paths).join(', ')}`,
      );
    return path;
  };
  return {
    listen: '127.0.0.1',
    start: (spec) => startProcess(spec, pathOf(spec.program), env, folder),
    run: (program, args) =>
      runCommand(pathOf(program), args, { env, cwd: folder, timeout: 60_000 }),
    close: () => Promise.resolve(),
  };
}

/**
 * Starts a process group of its own, which the guard kills when this process ends without having
 * ended it.
 */
async function startProcess(
  spec: ServerSpec,
  path: string,
  env: Readonly<Record<string, string>>,
  folder: string,
): Promise<Server> {
  const log = openSync(spec.log, 'a');
  const child = spawn(path, [...spec.args], {
    cwd: folder,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`cannot start ${spec.name}: ${error.message}`, { cause: error })),
    );
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
  guardGroup(pid);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void ended.then(() => releaseGroup(pid));
  child.unref();
  const running = (): boolean => child.exitCode === null && child.signalCode === null;
  const send = (signal: NodeJS.Signals): void => {
    if (running()) process.kill(-pid, signal);
  };
  const end = (): Promise<void> => {
    child.ref(); // from here on its end is waited for
    return ended;
  };
  const kill = (): Promise<void> => {
    send('SIGKILL');
    return end();
  };
  const stop = async (): Promise<void> => {
    send('SIGTERM');
    send('SIGCONT');
    const given = new AbortController();
    await Promise.race([
      end(),
      sleep(10_000, undefined, { signal: given.signal }).then(kill, () => undefined),
    ]);
    given.abort();
  };
  return {
    name: spec.name,
    running,
    signal: async (signal) => send(signal),
    kill,
    stop,
    logTail: () => logTail(spec.log),
  };
}
