import { colours as pc } from './colours';
import { factText } from '@ovn-steward/contracts/findings/fact-text';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { describe } from '@ovn-steward/contracts/identity/reference';
import type { HistoryEntry } from '../inputs/history';
import { safeText } from '@ovn-steward/shared/safe-text';
import { selectorText } from './selector-text';
import { shellWord } from './shell-word';

/** Everything known about one finding, for a person who must decide. */
export function explanation(
  finding: Finding,
  about: string,
  history: readonly HistoryEntry[] | undefined,
): string {
  const { subject, owner, remedy } = finding;
  return [
    pc.bold(safeText(finding.summary)),
    `  ${safeText(`${finding.rule} · ${finding.class} · ${finding.severity} · ${finding.state} since ${finding.firstSeen}${finding.confirmedAt ? `, confirmed ${finding.confirmedAt}` : ''}`)}`,
    ...suppressedLines(finding),
    `  ${safeText(about)}`,
    '',
    pc.bold('Subject'),
    `  ${safeText(describe(subject))}  (${safeText(`${subject.source}, ${subject.uid}`)})${subject.part ? `, its ${safeText(subject.part.column)} entry ${safeText(subject.part.key)}` : ''}`,
    ...finding.concerns.map((it) => `  with it: ${safeText(describe(it))}  (${safeText(it.uid)})`),
    '',
    pc.bold('Proof'),
    ...finding.proof.map((it) => `  ${safeText(factText(it), 500)}`),
    '',
    ...causeLines(finding),
    pc.bold('Whose it is'),
    `  ${safeText(`${owner.owner} (${owner.verdict}, confidence ${owner.confidence} of 3)`)}`,
    ...owner.evidence.map((it) => `  ${safeText(it, 500)}`),
    '',
    pc.bold('History'),
    ...historyLines(history),
    '',
    pc.bold('Remedy'),
    ...(remedy
      ? [
          `  ${safeText(remedy.advice, 500)}`,
          `  (${safeText(remedy.action)} on ${safeText(describe(remedy.target))}; ovn-steward did not do it)`,
          '  To have it done, with --ovn-nb and --kubernetes of the living cluster:',
          `  ${planOf(finding)}`,
        ]
      : [
          finding.doubt === undefined
            ? '  a person must decide'
            : `  none while this is in doubt: ${safeText(finding.doubt, 500)}`,
        ]),
    '',
  ].join('\n');
}

/** What took it along, and how that came about, as far as it was seen. */
const causeLines = ({ cause }: Finding): readonly string[] =>
  cause === undefined
    ? []
    : [
        pc.bold('Cause'),
        `  ${safeText(cause.text, 500)}`,
        ...(cause.moments ?? []).map(
          (it) =>
            `  ${safeText(it.at, 40)}  ${safeText(it.what, 500)}${pc.dim(`  ${safeText(it.change)}`)}`,
        ),
        '',
      ];

function historyLines(history: readonly HistoryEntry[] | undefined): readonly string[] {
  if (history === undefined)
    return [
      '  not read: only the state of a steward run (--state-dir) and a database file (--ovn-nb <file>) have it',
    ];
  return history.length > 0
    ? history.map((it) => `  ${safeText(it.at, 40)}  ${safeText(it.what, 500)}`)
    : ['  nothing recorded (a compacted database keeps none; steward run keeps its own)'];
}

/** Why it is not open, by whose word and until when. */
const suppressedLines = ({ suppressed }: Finding): readonly string[] =>
  suppressed === undefined
    ? []
    : [
        `  ${safeText(`suppressed by ${suppressed.by}${suppressed.since === null ? '' : ` since ${suppressed.since}`} until ${suppressed.until ?? (suppressed.by === 'settings' ? 'the setting rules is changed' : 'somebody ends it')}, as ${selectorText(suppressed.selector)}: ${suppressed.reason}`, 1000)}`,
        `  ${safeText(`it would be ${suppressed.state}; nothing is done about it`)}`,
      ];

/** A plan of this finding and its like. */
const planOf = ({ rule, scope }: Finding): string =>
  safeText(
    `steward plan --rule ${rule}${scope?.subnet === undefined ? '' : ` --subnet ${shellWord(scope.subnet)}`} --out plan.yaml`,
  );
