import { CLASSES } from '@ovn-steward/judgement/rules/reference-page';
import type { RULES } from '@ovn-steward/judgement/rules/registry';
import type { FindingClass } from '@ovn-steward/contracts/findings/finding';

type Rule = (typeof RULES)[number];

/** Of each class the rule that says best what the class is about. */
const EXAMPLES: Readonly<Record<FindingClass, string>> = {
  missing: 'missing-logical-switch-port',
  garbage: 'orphaned-logical-switch-port',
  leak: 'leaked-ip',
  stuck: 'stuck-subnet-deletion',
  misplaced: 'misplaced-pod',
  drift: 'duplicate-port-address',
  damage: 'neighbours-at-risk',
};

/** What is wrong, and what it leads to: what to do stands on the page of the rules. */
const firstTwo = (sentences: string): string =>
  sentences
    .split(/(?<=[.!?]) (?=[A-Z])/)
    .slice(0, 2)
    .join(' ');

/**
 * The README's table of what can be found: of each class how many rules there are, and one of them
 * in its own words.
 * @throws Error where an example is no rule of its class.
 */
export function findingsTable(rules: readonly Rule[]): string {
  const rows = (Object.keys(CLASSES) as FindingClass[]).map((findingClass) => {
    const ofClass = rules.filter((rule) => rule.class === findingClass);
    const example = ofClass.find(({ id }) => id === EXAMPLES[findingClass]);
    if (example === undefined)
      throw new Error(`${EXAMPLES[findingClass]} is no rule of class ${findingClass}`);
    return `| **${findingClass}**: ${CLASSES[findingClass]} | ${ofClass.length} | \`${example.id}\` (${example.severity}): ${firstTwo(example.about).replaceAll('|', '\\|')} |`;
  });
  return [
    '| Class | Rules | For example |',
    '|---|---|---|',
    ...rows,
    '',
    `All ${rules.length} rules, with what each checks and its remedy: [docs/rules.md](docs/rules.md).`,
  ].join('\n');
}
