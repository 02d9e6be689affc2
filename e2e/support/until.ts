import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than anything takes on a busy machine: it only ends what would wait for ever. */
const PATIENCE_MS = 150_000;

export interface Waiting {
  /** Between two checks; longer where a check costs much. */
  readonly pauseMs?: number;
  readonly patienceMs?: number;
}

/**
 * Checks again and again until there is an answer, and gives it. What a check throws ends it.
 * @param what is waited for, or how it stands in the end; for the error.
 */
export async function until<T>(
  check: () => T | undefined | false | Promise<T | undefined | false>,
  what: string | (() => string | Promise<string>),
  { pauseMs = 50, patienceMs = PATIENCE_MS }: Waiting = {},
): Promise<T> {
  for (const end = Date.now() + patienceMs; ; await sleep(pauseMs)) {
    const answer = await check();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > end)
      throw new Error(`Waited in vain: ${typeof what === 'string' ? what : await what()}`);
  }
}
