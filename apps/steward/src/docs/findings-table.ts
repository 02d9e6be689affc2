import type { RULES } from '@ovn-steward/judgement/rules/registry';

type Rule = (typeof RULES)[number];

const ORDER = ['critical', 'warning', 'info'];

/** The README's table of what can be found: the rules' own words, the gravest first. */
export function findingsTable(rules: readonly Rule[]): string {
  const sorted = [...rules].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) || (a.class < b.class ? -1 : a.class > b.class ? 1 : 0) || (a.id < b.id ? -1 : 1));
  return [
    '| Finding | Class, severity | What it is |',
    '|---|---|---|',
    ...sorted.map((it) => `| \`${it.id}\` | ${it.class}, ${it.severity} | ${it.about.replaceAll('|', '\\|')} |`),
  ].join('\n');
}
