import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_MS } from './longest-timer';

/**
 * Waits, and no longer than until the signal aborts, which is no error: the caller's loop ends by
 * its own condition.
 * @param ms how long; milliseconds. Longer than 24.8 days is 24.8 days.
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(ms, LONGEST_MS), undefined, { signal }).catch(() => undefined);
}
