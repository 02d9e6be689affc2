import type { FindingClass } from '@ovn-steward/contracts/findings/finding';

/** What is suspected is confirmed at the next watermark. */
export const NO_GRACE: Readonly<Record<FindingClass, number>> = {
  garbage: 0,
  leak: 0,
  drift: 0,
  stuck: 0,
  misplaced: 0,
  missing: 0,
  damage: 0,
};

/** The same as settings have it. */
export const NO_GRACE_SETTINGS = Object.fromEntries(
  Object.keys(NO_GRACE).map((it) => [it, '0s']),
) as Readonly<Record<FindingClass, string>>;

const MINUTE = 60_000;

/** Leaks and garbage ripen in a quarter of an hour, what is missing in two minutes, as shipped. */
export const GRACE: Readonly<Record<FindingClass, number>> = {
  ...NO_GRACE,
  garbage: 15 * MINUTE,
  leak: 15 * MINUTE,
  missing: 2 * MINUTE,
};
