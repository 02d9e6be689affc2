import { stringify } from 'yaml';
import { causesText } from '@ovn-steward/contracts/findings/by-cause';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from './colours';
import { findingsSummary } from './findings-summary';
import { terminal, wrapped } from './terminal';

/** How a list of findings can be printed, by the name of the form. */
export const FINDINGS_FORMS: Readonly<
  Record<string, (findings: readonly Finding[], none: string) => string>
> = {
  table: (findings, none) => (findings.length === 0 ? none : table(findings)),
  wide: (findings, none) => (findings.length === 0 ? none : wide(findings)),
  json: (findings) => `${JSON.stringify(findings, null, 2)}\n`,
  ndjson: (findings) => findings.map((it) => `${JSON.stringify(it)}\n`).join(''),
  yaml: (findings) => stringify(findings),
  markdown: (findings, none) => (findings.length === 0 ? none : markdown(findings)),
};

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

/** One finding a line, each column as wide as its longest word: names are never cut. */
function wide(findings: readonly Finding[]): string {
  const rows = [
    Object.keys(COLUMNS).map((it) => it.replace('_', ' ')),
    ...findings.map((it) => Object.values(COLUMNS).map((of) => safeText(of(it)) || '-')),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => `${row.map((cell, at) => cell.padEnd(widths[at]!)).join('  ')}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}

/** A cell cannot end its column, nor begin anything of Markdown. */
const cell = (text: string): string => safeText(text).replace(/[\\|`*_<>[\]]/g, '\\$&');

const markdown = (findings: readonly Finding[]): string =>
  [
    '| Finding | State | Severity | Rule | Since | What |',
    '|---|---|---|---|---|---|',
    ...findings.map(
      (it) =>
        `| ${[it.id.slice(0, 10), it.state, it.severity, it.rule, it.firstSeen, it.summary].map(cell).join(' | ')} |`,
    ),
  ]
    .map((line) => `${line}\n`)
    .join('');
