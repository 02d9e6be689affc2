import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { NamedCount } from './tally';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Up to which age each group goes, in milliseconds. */
const GROUPS: readonly (readonly [name: string, below: number])[] = [
  ['under 1 hour', HOUR_MS],
  ['1 to 24 hours', DAY_MS],
  ['1 to 7 days', 7 * DAY_MS],
  ['7 to 30 days', 30 * DAY_MS],
  ['30 days or more', Infinity],
];
const UNKNOWN = 'unknown';

/**
 * How long findings have been known, from when each was first seen up to then: every group in its
 * order, `unknown` only where there is one. The sources' clocks may differ by seconds: what was
 * seen a moment after `asOf` counts as new.
 * @param asOf RFC 3339.
 */
export function ages(findings: readonly Finding[], asOf: string): readonly NamedCount[] {
  const counts = new Map(GROUPS.map(([name]) => [name, 0]));
  const end = Date.parse(asOf);
  for (const { firstSeen } of findings) {
    const age = end - Date.parse(firstSeen);
    const name = GROUPS.find(([, below]) => age < below)?.[0] ?? UNKNOWN;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, count }));
}
