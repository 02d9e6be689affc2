import type { Command } from 'commander';
import type { DeadLetterList } from '@ovn-steward/contracts/dead-letters/list-dead-letters';
import { letterAt } from '@ovn-steward/contracts/dead-letters/read-dead-letters';
import type { Log } from '@ovn-steward/shared/log/log';
import { EXIT } from '../process/exit-codes';
import { type DeadLettersOptions, withDeadLetters, withLetters } from '../inputs/dead-letters';
import { stringify } from 'yaml';
import { tableMarkdown, tableText } from '../output/columns';
import { deadLetterCells, deadLettersText } from '../output/dead-letters-text';
import type { ListForm } from '../inputs/list-form';
import { fitted } from '../output/terminal';
import { replayCommand } from './dead-letters-replay';

/**
 * `steward dead-letters`: the records that some service set aside, and `replay`, which sends them
 * again.
 */
export function deadLettersCommand(program: Command, done: (code: number) => void): void {
  const command = withDeadLetters(
    program
      .command('dead-letters')
      .description('list the dead letters: records that could not be read or published'),
  ).action((options: DeadLettersOptions) =>
    withLetters(options, async (log, list) => {
      await FORMS[options.output](log, list);
      done(
        list.unreadable.length > 0 || list.letters.some((it) => it.replayedAt === null)
          ? EXIT.findings
          : EXIT.nothingFound,
      );
    }),
  );
  replayCommand(command, done);
}

const print = (text: string): void => void process.stdout.write(text);

const FORMS: Readonly<Record<ListForm, (log: Log, list: DeadLetterList) => void | Promise<void>>> =
  {
    table: (_, list) => print(fitted(deadLettersText(list))),
    wide: (_, list) =>
      print(list.letters.length === 0 ? deadLettersText(list) : tableText(deadLetterCells(list))),
    markdown: (_, list) => print(tableMarkdown(deadLetterCells(list))),
    json: writeJson,
    ndjson: (log, list) => eachLetter(log, list, (it) => `${JSON.stringify(it)}\n`),
    yaml: (log, list) =>
      list.letters.length === 0 ? print('[]\n') : eachLetter(log, list, (it) => stringify([it])),
  };

/** One letter at a time: together they may be larger than the memory. */
async function eachLetter(
  log: Log,
  { letters }: DeadLetterList,
  text: (letter: object, at: number) => string,
): Promise<void> {
  for (const [at, { stored, replayedAt }] of letters.entries())
    print(text({ ...(await letterAt(log, stored)), replayedAt }, at));
}

/** An array of whole letters. */
async function writeJson(log: Log, list: DeadLetterList): Promise<void> {
  print('[');
  await eachLetter(log, list, (it, at) => `${at === 0 ? '\n' : ',\n'}${JSON.stringify(it)}`);
  print('\n]\n');
}
