/**
 * Milliseconds to wait before the given attempt (1, 2, …) at what failed: half a second, doubling
 * up to half a minute.
 */
export const doublingBackOff = (attempt: number): number =>
  Math.min(500 * 2 ** (attempt - 1), 30_000);
