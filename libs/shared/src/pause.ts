import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_MS } from './longest-timer';

/**
 * Waits, and no longer than until one of the signals aborts, which is no error: the caller's loop
 * ends by its own condition.
 * @param ms how long; milliseconds. Longer than 24.8 days is 24.8 days.
 */
export async function pause(ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
  const early = new AbortController();
  const end = () => early.abort();
  for (const signal of signals) signal.addEventListener('abort', end, { once: true });
  if (signals.some((it) => it.aborted)) end();
  try {
    await sleep(Math.min(ms, LONGEST_MS), undefined, { signal: early.signal });
  } catch {
    // the only error is our own abort
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', end);
  }
}
