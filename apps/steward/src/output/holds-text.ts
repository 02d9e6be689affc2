import type { StandingHold } from '@ovn-steward/executor';
import { safeText } from '@ovn-steward/shared/safe-text';
import { deciderText } from './decider-text';
import { tableMarkdown } from './columns';
import { scopeText } from './decision-text';

/** The holds in force, a few lines each, and which executors follow what people decide. */
export const holdsText = (
  holds: readonly StandingHold[],
  executors: readonly { readonly executor: string; readonly lastSeen: string }[],
  cluster: string,
): string =>
  [
    ...(holds.length === 0 ? [`Nothing of cluster ${safeText(cluster)} is on hold.`] : []),
    ...holds.flatMap((it) => holdLines(it, cluster)),
    executors.length === 0
      ? 'No executor has reported that it follows decisions.'
      : `Executors that follow decisions, and when each reported it last: ${executors.map(({ executor, lastSeen }) => `${safeText(executor)} (${safeText(lastSeen)})`).join(', ')}.`,
    '',
  ].join('\n');

const holdLines = (
  { scope, except, reason, since, until, heardBy, ...decider }: StandingHold,
  cluster: string,
): readonly string[] => [
  `On hold: ${safeText(scopeText(scope, cluster))}${except.length > 0 ? `, but for ${safeText(except.join(' and '))}` : ''}`,
  `  why    ${safeText(reason)}`,
  `  by     ${deciderText(decider)}${since === '' ? '' : `, since ${safeText(since)}`}`,
  `  until  ${until === null ? 'somebody resumes it' : safeText(until)}`,
  `  heard  ${heardBy.length === 0 ? 'not acknowledged' : `by ${heardBy.map((it) => safeText(it)).join(', ')}`}`,
];

/** The holds in force as a table of Markdown. */
export const holdsMarkdown = (holds: readonly StandingHold[], cluster: string): string =>
  tableMarkdown({
    head: ['Scope', 'But for', 'Why', 'By', 'Since', 'Until', 'Heard by'],
    rows: holds.map(({ scope, except, reason, by, since, until, heardBy }) => [
      ...[scopeText(scope, cluster), except.join(', '), reason, by, since, until ?? ''],
      heardBy.join(', '),
    ]),
  });
