import { pause } from '@ovn-steward/shared/pause';

/**
 * An API server keeps a watch for minutes: one that ended sooner was cut on its way, and so may be
 * the next. Milliseconds.
 */
const SHORT_MS = 10_000;
const PAUSE_MS = 1000;

/**
 * Waits a second where what began then was cut short, so that a proxy that ends every stream does
 * not have all listed as fast as it answers.
 * @param began as `performance.now()` has it. Returns at once when the signal fires.
 */
export async function afterCutShort(began: number, signal: AbortSignal): Promise<void> {
  if (performance.now() - began < SHORT_MS) await pause(PAUSE_MS, signal);
}
