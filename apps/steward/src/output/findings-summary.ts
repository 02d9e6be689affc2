import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from './colours';

/** From so many on a list begins with how many there are of what. */
const MANY = 20;
const MOST_RULES = 8;
const SEVERITIES = ['critical', 'warning', 'info'];

/**
 * How many findings there are by severity and by rule, the most frequent first; nothing where few
 * are listed.
 */
export function findingsSummary(findings: readonly Finding[]): string {
  if (findings.length < MANY) return '';
  const rules = [...countsBy(findings, (it) => it.rule)].sort(([, a], [, b]) => b - a);
  const severities = countsBy(findings, (it) => it.severity);
  const known = SEVERITIES.filter((it) => severities.has(it));
  const words = [...known, ...[...severities.keys()].filter((it) => !SEVERITIES.includes(it))];
  const further = rules.slice(MOST_RULES);
  return [
    pc.bold(
      `${findings.length} findings: ${words.map((it) => `${severities.get(it)} ${safeText(it)}`).join(', ')}`,
    ),
    ...rules
      .slice(0, MOST_RULES)
      .map(([rule, count]) => `${`${count}`.padStart(6)}  ${safeText(rule)}`),
    ...(further.length === 0
      ? []
      : [
          `${`${further.reduce((sum, [, count]) => sum + count, 0)}`.padStart(6)}  of ${further.length} more rules`,
        ]),
    '',
    '',
  ].join('\n');
}

function countsBy(
  findings: readonly Finding[],
  of: (finding: Finding) => string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const it of findings) counts.set(of(it), (counts.get(of(it)) ?? 0) + 1);
  return counts;
}
