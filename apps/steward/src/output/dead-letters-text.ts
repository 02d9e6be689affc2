import type {
  DeadLetterList,
  ListedLetter,
} from '@ovn-steward/contracts/dead-letters/list-dead-letters';
import { counted } from '@ovn-steward/shared/counted';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from './colours';
import type { Cells } from './columns';

/**
 * Dead letters for a person: what each was, where from, why, by whom, when, and its beginning,
 * which cannot hurt the terminal.
 */
export function deadLettersText({ letters, unreadable }: DeadLetterList): string {
  if (letters.length + unreadable.length === 0) return 'No dead letters.\n';
  return [
    ...letters.map(entry),
    ...unreadable.map(
      (it) =>
        `${pc.bold(`steward.dead-letter.v1/${it.partition}/${it.offset}`)} is no letter of ours\n  key    ${safeText(it.key, 120)}\n  why    ${safeText(it.why)}\n`,
    ),
    summary(letters),
    '',
  ].join('\n');
}

/** How many there are, and what to do about those that wait. */
function summary(letters: readonly ListedLetter[]): string {
  const waiting = letters.filter((it) => it.replayedAt === null);
  const replayed = letters.length - waiting.length;
  const canBeReplayed = waiting.some((it) => it.refusal === undefined);
  return [
    `${counted(letters.length, 'dead letter')}${replayed > 0 ? `, ${replayed} of them replayed` : ''}.`,
    ...(canBeReplayed
      ? [
          'Next: fix what they failed on, then steward dead-letters replay <id>; see docs/dead-letters.md',
        ]
      : waiting.length > 0
        ? ['None that is left can be replayed: each says why; see docs/dead-letters.md']
        : []),
  ].join(' ');
}

const entry = (listedLetter: ListedLetter): string =>
  [
    `${pc.bold(safeText(listedLetter.id))}`,
    `  when   ${safeText(listedLetter.at, 40)}, by the ${safeText(listedLetter.by, 40)}${listedLetter.offset === null ? ', before it was ever in the log' : ''}`,
    `  why    ${safeText(listedLetter.why)}`,
    `  key    ${safeText(listedLetter.key, 120)}`,
    `  value  ${sizeOf(listedLetter)}${listedLetter.beginning === '' ? '' : `: ${pc.dim(safeText(listedLetter.beginning, 100))}`}`,
    ...(listedLetter.replayedAt === null
      ? []
      : [`  ${pc.green('replayed')} ${safeText(listedLetter.replayedAt, 40)}`]),
    ...(listedLetter.refusal === undefined
      ? []
      : [`  ${pc.yellow('cannot be replayed')}: ${safeText(listedLetter.refusal)}`]),
    '',
  ].join('\n');

/** The size of what was kept, or that there was nothing. */
export const sizeOf = ({ bytes, truncated }: Pick<ListedLetter, 'bytes' | 'truncated'>): string =>
  bytes === null
    ? 'none (a tombstone)'
    : `${counted(bytes, 'byte')}${truncated ? ', the rest was cut off' : ''}`;

/** The same as a table. */
export const deadLetterCells = ({ letters }: DeadLetterList): Cells => ({
  head: ['ID', 'WHEN', 'BY', 'TOPIC', 'KEY', 'BYTES', 'REPLAYED', 'WHY'],
  rows: letters.map(({ id, at, by, topic, key, bytes, replayedAt, why }) => [
    ...[id, at, by, topic, key, `${bytes ?? '-'}`, replayedAt ?? '-', why],
  ]),
});
