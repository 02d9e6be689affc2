import { safeText } from '@ovn-steward/shared/safe-text';
import type { Foreseen } from './foresee';

/**
 * As long as the sentence about another cluster with both pairs in it, and what a person says then.
 */
const MOST_CHARACTERS = 1000;

/**
 * What would become of a plan now, for a person: how many would be done, and for each reason how
 * many not.
 */
export function foreseenText(foreseen: readonly Foreseen[]): readonly string[] {
  if (foreseen.length === 0) return [];
  const reasons = new Map<string, number>();
  for (const { stays } of foreseen) {
    if (stays === undefined) continue;
    const reason = safeText(`${stays.code}: ${stays.reason}`, MOST_CHARACTERS);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const removed = foreseen.filter(({ stays }) => stays === undefined).length;
  const all = foreseen.length;
  return [
    `Handed over now, ${removed === all ? `all ${all}` : `${removed} of ${all}`} would be done, by the settings and decisions known here.`,
    ...[...reasons].map(([reason, count]) => `  ${String(count).padStart(6)}  ${reason}`),
  ];
}
