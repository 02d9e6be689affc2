import { setMaxListeners } from 'node:events';

/** What was made of each signal, and of that itself. */
const made = new WeakMap<AbortSignal, AbortSignal>();

/**
 * A signal that fires with this one, to which a dozen requests at once may listen without a
 * warning; the same for each caller.
 */
export function allowManyListeners(signal: AbortSignal): AbortSignal {
  const known = made.get(signal);
  if (known) return known;
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  made.set(signal, own);
  made.set(own, own);
  return own;
}
