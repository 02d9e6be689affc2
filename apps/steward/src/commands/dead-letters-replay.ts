import type { Command } from 'commander';
import { Failure } from '@ovn-steward/shared/errors';
import type { ListedLetter } from '@ovn-steward/contracts/dead-letters/list-dead-letters';
import { newerRecords } from '@ovn-steward/contracts/dead-letters/newer-records';
import { letterAt } from '@ovn-steward/contracts/dead-letters/read-dead-letters';
import {
  notTheOriginal,
  replayDeadLetter,
} from '@ovn-steward/contracts/dead-letters/replay-dead-letter';
import type { Log } from '@ovn-steward/shared/log/log';
import { safeText } from '@ovn-steward/shared/safe-text';
import { EXIT } from '../process/exit-codes';
import { type DeadLettersOptions, withDeadLetters, withLetters } from '../inputs/dead-letters';
import { tableMarkdown } from '../output/columns';
import type { ListForm } from '../inputs/list-form';
import { listText } from '../output/list-forms';
import { fitted } from '../output/terminal';
import { sizeOf } from '../output/dead-letters-text';

interface ReplayOptions extends DeadLettersOptions {
  readonly all?: boolean;
  readonly yes?: boolean;
}

/** A letter that is sent again, with where to; or that is not, with why. */
interface Planned {
  readonly letter: ListedLetter;
  readonly left?: string;
  /** Where it was appended, once it was. */
  offset?: bigint;
}

/** `steward dead-letters replay`: without `--yes` it only says what it would do. */
export function replayCommand(parent: Command, done: (code: number) => void): void {
  withDeadLetters(
    parent
      .command('replay')
      .argument('[ids...]', 'the letters, by their ids')
      .description(
        'send dead letters again to their topic, changes or findings; without --yes only show what would be sent where',
      ),
  )
    .option('--all', 'all that can be replayed and have not been')
    .option('--yes', 'send them')
    .action(async (ids: readonly string[], _own: ReplayOptions, command: Command) => {
      const options = command.optsWithGlobals<ReplayOptions>(); // Commander gives an option that parent and child share to the parent
      if (ids.length > 0 === (options.all === true))
        throw new Failure(
          'config-invalid',
          'Name the dead letters to replay by their ids, or give --all; steward dead-letters lists them.',
        );
      await withLetters(options, async (log, { letters }) => {
        const plan = await planned(log, chosen(letters, ids));
        const refused = plan.find(({ left }) => left !== undefined);
        if (ids.length > 0 && refused)
          throw new Failure(
            'log-record-refused',
            `${refused.letter.id} is not replayed: ${refused.left}. Nothing was sent.`,
          );
        try {
          if (options.yes) await send(log, plan);
        } finally {
          // Also where one fails: what was sent before it stays sent.
          process.stdout.write(textOf(options.output, plan, options.yes === true));
        }
      });
      done(EXIT.nothingFound);
    });
}

function chosen(letters: readonly ListedLetter[], ids: readonly string[]): readonly ListedLetter[] {
  if (ids.length === 0) return letters;
  const byId = new Map(letters.map((it) => [it.id, it]));
  return [...new Set(ids)].map((id) => {
    const letter = byId.get(id);
    if (!letter)
      throw new Failure(
        'input-not-found',
        `No dead letter has the id ${id}: steward dead-letters lists them.`,
      );
    return letter;
  });
}

/**
 * What stands in the way of each: it cannot be replayed, was, is not what the log has there, or
 * would put the past in the place of something newer.
 */
async function planned(log: Log, letters: readonly ListedLetter[]): Promise<Planned[]> {
  const newer = await newerRecords(
    log,
    letters.filter((it) => it.refusal === undefined && it.replayedAt === null),
  );
  const foreign = new Map<string, string>();
  for (const letter of letters) {
    if (letter.refusal !== undefined || letter.replayedAt !== null || newer.has(letter.id))
      continue;
    const why = await notTheOriginal(log, await letterAt(log, letter.stored));
    if (why !== undefined) foreign.set(letter.id, why);
  }
  return letters.map((letter) => {
    const after = newer.get(letter.id);
    const left =
      letter.refusal ??
      (letter.replayedAt === null ? undefined : `it was replayed at ${letter.replayedAt}`) ??
      foreign.get(letter.id) ??
      (after &&
        (after.replay
          ? `it was replayed, to offset ${after.offset}`
          : `a newer record with its key is at offset ${after.offset} of ${letter.topic}/${letter.partition}`));
    return left === undefined ? { letter } : { letter, left };
  });
}

async function send(log: Log, plan: readonly Planned[]): Promise<void> {
  for (const planned of plan) {
    if (planned.left !== undefined) continue;
    const { partition } = planned.letter.stored;
    planned.offset = (
      await replayDeadLetter(
        log,
        { letter: await letterAt(log, planned.letter.stored), partition },
        new Date(),
      )
    ).first;
  }
}

function text(plan: readonly Planned[], sent: boolean): string {
  const due = plan.filter((it) => it.left === undefined);
  const replayed = due.filter((it) => !sent || it.offset !== undefined);
  const unsent = due.filter((it) => !replayed.includes(it));
  const left = plan.filter((it) => it.left !== undefined);
  const lines = [
    ...(due.length === 0 ? ['Nothing to replay.'] : []),
    ...(replayed.length > 0 ? [sent ? 'Replayed:' : 'Would be replayed:'] : []),
    ...replayed.map(
      ({ letter, offset }) =>
        `  ${safeText(letter.id)}, ${sizeOf(letter)}, to ${letter.topic}/${letter.partition} under the key ${safeText(letter.key, 120)}${offset === undefined ? '' : `, at offset ${offset}`}`,
    ),
    ...(unsent.length > 0 ? ['Not known to have been replayed:'] : []),
    ...unsent.map(({ letter }) => `  ${safeText(letter.id)}`),
    ...(left.length > 0 ? ['Left as they are:'] : []),
    ...left.map((it) => `  ${safeText(it.letter.id)}: ${safeText(it.left!)}`),
    ...(replayed.length > 0 && !sent
      ? ['Nothing was sent. To send, run the command again with --yes.']
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function textOf(form: ListForm, plan: readonly Planned[], sent: boolean): string {
  const items = plan.map(({ letter, left, offset }) => ({
    id: letter.id,
    topic: letter.topic,
    partition: letter.partition,
    offset: offset === undefined ? null : String(offset),
    left: left ?? null,
  }));
  const lines = (): string => fitted(text(plan, sent));
  const markdown = (): string =>
    tableMarkdown({
      head: ['Id', 'Topic', 'Partition', 'Offset', 'Left because'],
      rows: items.map((letter) => [
        ...[letter.id, letter.topic, `${letter.partition}`, letter.offset ?? '', letter.left ?? ''],
      ]),
    });
  return listText(form, { document: items, items, table: lines, wide: lines, markdown });
}
