import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { LeftOut } from './plan';

/** Enough to see which they are; the findings have the rest. */
const MOST_FINDINGS = 20;
const MOST_REASONS = 100;
const MOST_CHARACTERS = 500;

/** Collects what is left out of a plan, by its reason. */
export function collectLeftOut(): {
  add(finding: Finding, reason: string): void;
  all(): LeftOut[];
} {
  const reasons = new Map<string, { count: number; findings: { id: string; what: string }[] }>();
  return {
    add({ id, summary }, why) {
      const cut = why.slice(0, MOST_CHARACTERS);
      const reason = reasons.size < MOST_REASONS || reasons.has(cut) ? cut : 'for other reasons';
      const of = reasons.get(reason) ?? { count: 0, findings: [] };
      reasons.set(reason, of);
      of.count += 1;
      if (of.findings.length < MOST_FINDINGS)
        of.findings.push({ id, what: summary.slice(0, MOST_CHARACTERS) });
    },
    all: () => [...reasons].map(([reason, it]) => ({ reason, ...it })),
  };
}
