import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/**
 * Longer than nearly anything takes on a busy machine, and shorter than the 120 s a test may take:
 * so the error says what was waited for.
 */
const TIMEOUT_MS = 100_000;

const FIRST_PAUSE_MS = 5;

export interface Waiting {
  /** The longest pause between two checks; the first are shorter. */
  readonly pauseMs?: number;
  readonly timeoutMs?: number;
}

/**
 * Checks again and again until there is an answer, and gives it. What a check throws ends it.
 *
 * @param what is waited for, or how it stands in the end; for the error. By default the check.
 */
export async function until<T>(
  check: () => T | undefined | false | Promise<T | undefined | false>,
  what: string | (() => unknown) = String(check),
  { pauseMs = 50, timeoutMs = TIMEOUT_MS }: Waiting = {},
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (let pause = Math.min(FIRST_PAUSE_MS, pauseMs); ; pause = Math.min(pause * 2, pauseMs)) {
    const answer = await check();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) {
      const stands = typeof what === 'string' ? what : await what();
      throw new Error(`Waited in vain: ${typeof stands === 'string' ? stands : inspect(stands)}`);
    }
    await sleep(pause);
  }
}
