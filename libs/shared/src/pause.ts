import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits, and no longer than until the signal aborts, which is no error: the caller's loop ends by
 * its own condition.
 * @param ms how long; milliseconds.
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
