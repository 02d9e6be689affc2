import type { Command } from 'commander';
import { isForPeople } from '../inputs/list-form';
import { secondsOption } from '../inputs/seconds';
import { printPaged } from '../output/paged';
import { doubtText } from '../output/print-doubt';
import { terminal } from '../output/terminal';
import { watchScreen } from '../output/watch-screen';
import { EXIT } from '../process/exit-codes';
import { interrupted } from '../process/interrupted';

export interface WatchedListOptions {
  readonly watch?: boolean;
  readonly every: number;
}

/** How often a list is read again unless the command line says otherwise, in seconds. */
const EVERY = 2;

/** The option of every list that says how often `--watch` reads. */
export const withEvery = (command: Command, seconds = EVERY): Command =>
  command.addOption(
    secondsOption('--every <duration>', 'with --watch: how often to read again', seconds),
  );

/** The options of every list of what changes. */
export const withWatch = (command: Command, seconds = EVERY): Command =>
  withEvery(
    command.option(
      '-w, --watch',
      'list again and again until interrupted: as one screen on a terminal, elsewhere the lines that are new, or with json and yaml the whole list each time it differs',
    ),
    seconds,
  );

/** A list as it is at one moment. */
export interface ShownList {
  readonly text: string;
  /** Why it says nothing about now, as one sentence. */
  readonly doubt?: string | undefined;
  /** Sentences about what is not on the list. */
  readonly remarks?: readonly string[];
  readonly code: number;
}

/**
 * Shows a list once, or, with `--watch`, again and again until the process is interrupted, and
 * gives the exit code of what was shown last.
 * @throws Failure as reading does.
 */
export async function showList(
  options: WatchedListOptions & { readonly output: string; readonly pager?: boolean },
  read: () => Promise<ShownList>,
): Promise<number> {
  if (options.watch) return showAgain(options, read);
  const list = await read();
  if (isForPeople(options.output)) printPaged(list.text, options);
  else process.stdout.write(list.text);
  process.stderr.write(notesOf(list));
  return list.code;
}

/** What is said about a list, and is no part of it: one line for each. */
const notesOf = ({ remarks = [], doubt }: ShownList): string =>
  [...remarks.map((it) => `${it}\n`), doubt === undefined ? '' : doubtText(doubt)].join('');

/** What programs read as one document, and what stands before each, as kubectl has it. */
const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['json', ''],
  ['yaml', '---\n'],
]);

async function showAgain(
  { every, output }: WatchedListOptions & { readonly output: string },
  read: () => Promise<ShownList>,
): Promise<number> {
  const stop = interrupted();
  // What a program reads has items alone.
  const isApart = !isForPeople(output) && terminal() === undefined;
  let code: number = EXIT.nothingFound;
  let saidApart = '';
  const frame = async (): Promise<string> => {
    const list = await read();
    code = list.code;
    const notes = notesOf(list);
    if (!isApart) return `${list.text.trimEnd()}\n${notes}`;
    if (notes !== saidApart) process.stderr.write((saidApart = notes));
    return list.text;
  };
  const separator = DOCUMENTS.get(output);
  try {
    await watchScreen(frame, { everyMs: every * 1000, signal: stop.signal, separator });
  } finally {
    stop.end();
  }
  return code;
}
