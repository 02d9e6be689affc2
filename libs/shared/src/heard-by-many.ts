import { setMaxListeners } from 'node:events';

/** The same signal, to which a dozen requests at once may listen without a warning. */
export function heardByMany(signal: AbortSignal): AbortSignal {
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return own;
}
