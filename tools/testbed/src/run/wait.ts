import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './server';

export interface WaitOptions {
  /** What is waited for, for the error: "ovsdb-server to listen". */
  readonly what: string;
  readonly timeoutMs: number;
  /** Servers without which waiting is vain; their logs go into the error. */
  readonly servers?: readonly Server[];
}

/** Asks every 50 ms until `check` gives a value that is not undefined or false; an error it throws counts as "not yet". */
export async function waitFor<T>(
  check: () => Promise<T | undefined | false> | T | undefined | false,
  options: WaitOptions,
): Promise<T> {
  const servers = options.servers ?? [];
  const until = Date.now() + options.timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await check();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      last = error;
    }
    const dead = servers.find((server) => !server.running());
    if (dead !== undefined)
      throw failure(`${dead.name} ended while waiting for ${options.what}`, last, [dead]);
    if (Date.now() > until)
      throw failure(`waited ${options.timeoutMs} ms in vain for ${options.what}`, last, servers);
    await sleep(50);
  }
}

function failure(what: string, cause: unknown, servers: readonly Server[]): Error {
  const because = cause instanceof Error ? `; last error: ${cause.message}` : '';
  const logs = servers
    .map((server) => `\n--- log of ${server.name}:\n${server.logTail()}`)
    .join('');
  return new Error(what + because + logs, { cause });
}
