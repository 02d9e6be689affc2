import type { FindingClass } from '@ovn-steward/contracts/findings/finding';
import type { Rule } from '../rule-kit/rule';

const HEAD = `# Rules

<!-- Generated from the declarations of the rules by \`npm run generate\`; do not edit. -->

Each rule looks at every object of one kind and says *healthy*, *violation* or *unknown*. It says nothing at all while a kind it needs is
not completely known: not having heard of an owner is not its absence. What it asks for when known may be missing (a kind that is not
installed, or may not be read); a subject that depends on it is then unknown, never a finding.

The action under *Remedy* is what would mend it. It is described in the finding, and done only where a person has a plan with it applied or approves it, or the rule's mode is
\`enforce\` ([executor.md](executor.md)).
`;

/** What each class means, in the order of the page. */
export const CLASSES: Readonly<Record<FindingClass, string>> = {
  missing: 'something that should be there is not',
  garbage: 'a row of the Northbound database whose reason is gone',
  leak: 'an address nobody uses and nobody else can get',
  stuck: 'a deletion that does not finish',
  misplaced: 'something works in the wrong place',
  drift: 'records that disagree',
  damage: 'harm to rows of others',
};

/** The reference page of the rules, in Markdown: what each looks at, what it must know, and what it means. */
export function rulesPage(rules: readonly Rule[]): string {
  const sections = (Object.keys(CLASSES) as FindingClass[]).flatMap((findingClass) => {
    const ofClass = rules
      .filter((rule) => rule.class === findingClass)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
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
    `- Looks at: every ${subject}`,
    ...(needed.length > 0 ? [`- Must know completely: ${listed(needed)}`] : []),
    ...(consulted.length > 0 ? [`- Asks when known: ${listed(consulted)}`] : []),
    `- Remedy: ${remedy ? `\`${remedy}\`` : 'a person must decide'}`,
  ].join('\n');
}

const listed = (kinds: readonly string[]): string => [...new Set(kinds)].sort().join(', ');
