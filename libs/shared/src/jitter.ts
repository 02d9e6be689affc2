/**
 * Somewhere between two bounds, drawn at random, so that many waiters do not come back together.
 */
export const between = (low: number, high: number): number => low + Math.random() * (high - low);
