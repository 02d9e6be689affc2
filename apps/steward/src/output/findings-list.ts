import { causesText } from '@ovn-steward/contracts/findings/by-cause';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from './colours';
import { findingsSummary } from './findings-summary';
import { tableMarkdown, tableText } from './columns';
import type { ListForm } from '../inputs/list-form';
import { listText } from './list-forms';
import { terminal, wrapped } from './terminal';

/** A list of findings in one form; `none`: what a person reads where there are none. */
export const findingsText = (form: ListForm, findings: readonly Finding[], none: string): string =>
  listText(form, {
    document: findings,
    items: findings,
    table: () => (findings.length === 0 ? none : table(findings)),
    wide: () => (findings.length === 0 ? none : findingsWide(findings)),
    markdown: () => (findings.length === 0 ? none : findingsMarkdown(findings)),
  });

function table(findings: readonly Finding[]): string {
  const columns = terminal()?.columns ?? Infinity;
  const lines = findings.map((it) => `${coloured(it, wrapped(line(it), columns, 4))}\n`).join('');
  const causes = causesText(findings).map((it) => `${wrapped(safeText(it), columns, 4)}\n`);
  return `${findingsSummary(findings)}${lines}${causes.length === 0 ? '' : `\nOf one cause:\n${causes.join('')}`}`;
}

const line = (it: Finding): string =>
  `${safeText(it.state).padEnd(9)} since ${safeText(it.firstSeen, 40)} ${safeText(it.id.slice(0, 10))} ${safeText(it.rule)}: ${safeText(it.summary)}`;

const COLOUR: Readonly<Record<string, (text: string) => string>> = {
  critical: pc.red,
  warning: pc.yellow,
};

/** The first word of a line, by the severity. */
const coloured = ({ severity }: Finding, text: string): string =>
  text.replace(/^\S+/, (it) => (COLOUR[severity] ?? String)(it));

const COLUMNS: Readonly<Record<string, (finding: Finding) => string>> = {
  ID: (it) => it.id.slice(0, 10),
  STATE: (it) => it.state,
  SEVERITY: (it) => it.severity,
  CLASS: (it) => it.class,
  RULE: (it) => it.rule,
  KIND: (it) => it.subject.kind,
  NAME: ({ subject }) => objectKey(subject.namespace, subject.name) || subject.uid,
  SUBNET: (it) => it.scope?.subnet ?? '',
  VPC: (it) => it.scope?.vpc ?? '',
  FIRST_SEEN: (it) => it.firstSeen,
};

/** One finding a line with more columns: names are never cut. */
export const findingsWide = (findings: readonly Finding[]): string =>
  `${findingsSummary(findings)}${tableText({
    head: Object.keys(COLUMNS).map((it) => it.replace('_', ' ')),
    rows: findings.map((it) => Object.values(COLUMNS).map((of) => of(it) || '-')),
    colour: (row) => COLOUR[findings[row]!.severity] ?? String,
  })}`;

const MARKDOWN = ['Finding', 'State', 'Severity', 'Rule', 'Since', 'What'];

export const findingsMarkdown = (findings: readonly Finding[]): string =>
  tableMarkdown({
    head: MARKDOWN,
    rows: findings.map((finding) => [
      ...[
        finding.id.slice(0, 10),
        finding.state,
        finding.severity,
        finding.rule,
        finding.firstSeen,
        finding.summary,
      ],
    ]),
  });
