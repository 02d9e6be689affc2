import { colours as pc } from './colours';
import type { AuditDocument } from '@ovn-steward/contracts/audit';
import { isOpen } from '@ovn-steward/client';
import { causesText } from '@ovn-steward/contracts/findings/by-cause';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { findingsSummary } from './findings-summary';
import { pairingLines } from './pairing-lines';
import { safeText } from '@ovn-steward/shared/safe-text';

const COLOUR = { critical: pc.red, warning: pc.yellow, info: pc.cyan } as const;

/**
 * The audit for a person: what was read, what is wrong, what could not be judged, what to do next.
 * @param list the findings in another form than by rule.
 */
export function auditTable(document: AuditDocument, list?: string): string {
  const open = document.findings.filter(isOpen);
  return (
    [
      ...sources(document),
      ...pairingLines(document.pairing),
      '',
      ...(list === undefined ? [...summary(open), ...findings(open)] : [list]),
      ...causes(open),
      ...unknowns(document),
      '',
      conclusion(document),
    ].join('\n') + '\n'
  );
}

function sources({ sources }: AuditDocument): string[] {
  return [
    pc.bold('Read'),
    ...sources.flatMap((source) => {
      const total = Object.values(source.counts).reduce((sum, count) => sum + count, 0);
      const missing = source.kinds.filter((kind) => kind.state !== 'complete');
      const line = `  ${safeText(source.id).padEnd(11)} ${source.complete ? 'complete' : pc.yellow('incomplete')}  ${total} ${source.id === 'kubernetes' ? 'objects' : 'rows'}${source.asOf ? `, as of ${safeText(source.asOf, 40)}` : ''}`;
      return missing.length === 0
        ? [line]
        : [line, pc.dim(`              ${safeText(summarize(missing), 500)}`)];
    }),
  ];
}

/** `not known: Pod (not-listed), Vip (not-listed)`; kinds of one reason together. */
function summarize(missing: readonly { kind: string; reason?: string | undefined }[]): string {
  const byReason = new Map<string, string[]>();
  for (const { kind, reason = 'listing' } of missing)
    byReason.set(reason, [...(byReason.get(reason) ?? []), kind]);
  return [...byReason]
    .map(
      ([reason, kinds]) =>
        `${reason}: ${kinds.slice(0, 8).join(', ')}${kinds.length > 8 ? ` and ${kinds.length - 8} more` : ''}`,
    )
    .join('; ');
}

/** How many there are of what, before many. */
const summary = (found: readonly Finding[]): string[] => {
  const text = findingsSummary(found).trimEnd();
  return text === '' ? [] : [text, ''];
};

function findings(found: readonly Finding[]): string[] {
  const rules = [...new Set(found.map((it) => it.rule))];
  return rules.flatMap((rule) => {
    const ofRule = found.filter((it) => it.rule === rule);
    const first = ofRule[0]!;
    return [
      `${COLOUR[first.severity](first.severity.padEnd(8))} ${pc.bold(safeText(rule))}  ${first.class}, ${ofRule.length}`,
      ...ofRule.map(findingLine),
      '',
    ];
  });
}

/** The causes of several findings, with the number of findings of each. */
function causes(found: readonly Finding[]): string[] {
  const lines = causesText(found);
  return lines.length === 0
    ? []
    : [pc.bold('Of one cause'), ...lines.map((it) => safeText(it)), ''];
}

/** One finding on one line, with as much of its id as `explain` needs. */
const findingLine = (finding: Finding): string =>
  `  ${pc.dim(safeText(finding.id.slice(0, 10)))} ${safeText(finding.summary)}${finding.concerns.length > 0 ? pc.dim(` (+${finding.concerns.length} with it)`) : ''}`;

const MOST_UNKNOWNS = 10;

function unknowns({ unknowns }: AuditDocument): string[] {
  if (unknowns.length === 0) return [];
  const shown = unknowns
    .slice(0, MOST_UNKNOWNS)
    .map(
      (it) =>
        `  ${safeText(it.rule)}${it.subject ? ` on ${safeText(it.subject.kind)} ${safeText(it.subject.name || it.subject.uid)}` : ''}: ${safeText(it.reason, 500)}`,
    );
  const rest = unknowns.length - shown.length;
  return [
    pc.bold('Could not be judged'),
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more (--output json has all)`] : []),
  ];
}

function conclusion({ summary, findings }: AuditDocument): string {
  const suppressed = summary.suppressed
    ? ` ${summary.suppressed} more are suppressed: --output json shows them.`
    : '';
  if (summary.findings === 0)
    return `${summary.unknowns === 0 ? 'Nothing found.' : 'Nothing found in what could be judged.'}${suppressed}`;
  const classes = Object.entries(summary.byClass)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
  return `${summary.findings} findings (${classes}), each seen once: suspected.${suppressed} Nothing was changed.\nNext: steward explain ${safeText(findings.find(isOpen)!.id.slice(0, 10))} with the same inputs shows the proof of the first.`;
}
