import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './server';

export interface WaitOptions {
  /** What is waited for, for the error: "ovsdb-server to listen". */
  readonly what: string;
  readonly timeoutMs: number;
  /** Servers without which waiting is vain; their logs go into the error. */
  readonly servers?: readonly Server[];
}

/**
 * The first pause; each is twice the one before, up to the longest. ovsdb-server is up in 20 ms,
 * kube-apiserver in seconds.
 */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

/**
 * Asks again and again until `check` gives a value that is not undefined or false; an error it
 * throws counts as "not yet".
 */
export async function waitFor<T>(
  check: () => Promise<T | undefined | false> | T | undefined | false,
  options: WaitOptions,
): Promise<T> {
  const servers = options.servers ?? [];
  const until = Date.now() + options.timeoutMs;
  let last: unknown;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
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
    await sleep(pause);
  }
}

function failure(what: string, cause: unknown, servers: readonly Server[]): Error {
  const because = cause instanceof Error ? `; last error: ${cause.message}` : '';
  const logs = servers
    .map((server) => `\n--- log of ${server.name}:\n${server.logTail()}`)
    .join('');
  return new Error(what + because + logs, { cause });
}
