import { ascendingBy } from '@ovn-steward/shared/compare';
import type { FindingClass } from '@ovn-steward/contracts/findings/finding';
import type { Rule } from '../rule-kit/rule';

const HEAD = `# Rules

<!-- Generated from the declarations of the rules by \`npm run generate\`; do not edit. -->

Each rule checks every object of one kind and returns *healthy*, *violation* or *unknown*. It is withheld while a kind under *Needs* is
not known completely, because an unknown owner is not an absent one. Kinds under *Uses if known* may be missing (not
installed, or forbidden); a subject that depends on one is then unknown, never a finding.

*Remedy* is the action that repairs it. The finding describes it. The executor does it only if a person applies a plan with it or approves it, or if the mode of the rule is
\`enforce\` ([executor.md](executor.md)).
`;

/** What each class means, in the order of the page. */
export const CLASSES: Readonly<Record<FindingClass, string>> = {
  missing: 'something that should exist does not',
  garbage: 'a row of the Northbound database that nothing needs any more',
  leak: 'an address that nothing uses and nothing else can get',
  stuck: 'a deletion that does not finish',
  misplaced: 'something works in the wrong place',
  drift: 'records that disagree',
  damage: 'harm to rows of others',
};

/**
 * The reference page of the rules, in Markdown: what each checks, what it needs, and what it means.
 */
export function rulesPage(rules: readonly Rule[]): string {
  const sections = (Object.keys(CLASSES) as FindingClass[]).flatMap((findingClass) => {
    const ofClass = rules
      .filter((rule) => rule.class === findingClass)
      .sort(ascendingBy((it) => it.id));
    return ofClass.length === 0
      ? []
      : [`## ${findingClass}: ${CLASSES[findingClass]}`, ...ofClass.map(section)];
  });
  return `${[HEAD.trimEnd(), ...sections].join('\n\n')}\n`;
}

function section({ id, severity, subject, reads, consults = [], about, remedy }: Rule): string {
  const needed = reads.filter((it) => it !== subject);
  const consulted = consults.filter((it) => it !== subject && !reads.includes(it));
  return [
    `### ${id}`,
    '',
    about,
    '',
    `- Severity: ${severity}`,
    `- Checks: every ${subject}`,
    ...(needed.length > 0 ? [`- Needs: ${listed(needed)}`] : []),
    ...(consulted.length > 0 ? [`- Uses if known: ${listed(consulted)}`] : []),
    `- Remedy: ${remedy ? `\`${remedy}\`` : 'a person must decide'}`,
  ].join('\n');
}

const listed = (kinds: readonly string[]): string => [...new Set(kinds)].sort().join(', ');
