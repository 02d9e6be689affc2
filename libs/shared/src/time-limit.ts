import { LONGEST_MS } from './longest-timer';

/**
 * A signal that fires after `ms`, or when one of the others does. Used in place of
 * `AbortSignal.timeout`: within `AbortSignal.any` Node 20 collects such a signal as garbage where
 * nothing else refers to it, and then it never fires. The timer keeps no process alive.
 * @param ms longer than 24.8 days is 24.8 days.
 */
export function timeLimit(ms: number, ...others: readonly AbortSignal[]): AbortSignal {
  const over = new AbortController();
  setTimeout(
    () => over.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
    Math.min(ms, LONGEST_MS),
  ).unref();
  return others.length === 0 ? over.signal : AbortSignal.any([...others, over.signal]);
}
