export interface BackoffOptions {
  /** Bound of the first delay, in ms. Default 500. */
  baseMs?: number;
  /** Bound that no delay exceeds, in ms. Default 15,000. */
  capMs?: number;
}

/**
 * The delay before attempt `attempt` (from 0): random between 0 and a bound that doubles, so that
 * many clients do not return at once.
 */
export function fullJitter(
  attempt: number,
  { baseMs = 500, capMs = 15_000 }: BackoffOptions = {},
  random: () => number = Math.random,
): number {
  return Math.round(random() * Math.min(capMs, baseMs * 2 ** Math.min(attempt, 30)));
}
