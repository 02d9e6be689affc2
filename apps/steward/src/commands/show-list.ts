import type { Command } from 'commander';
import { isForPeople } from '../inputs/list-form';
import { secondsOf } from '../inputs/seconds';
import { printPaged } from '../output/paged';
import { printDoubt } from '../output/print-doubt';
import { watchScreen } from '../output/watch-screen';
import { EXIT } from '../process/exit-codes';

export interface WatchOptions {
  readonly watch?: boolean;
  readonly every: number;
}

/** How often a list is read again unless the command line says otherwise, in seconds. */
const EVERY = 2;

/** The option of every list that says how often `--watch` reads. */
export const withEvery = (command: Command, seconds = EVERY): Command =>
  command.option('--every <seconds>', 'with --watch: how often to read again', secondsOf, seconds);

/** The options of every list of what changes. */
export const withWatch = (command: Command, seconds = EVERY): Command =>
  withEvery(command.option('-w, --watch', 'list again and again until interrupted'), seconds);

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
  options: WatchOptions & { readonly output: string; readonly pager?: boolean },
  read: () => Promise<ShownList>,
): Promise<number> {
  if (options.watch) return showAgain(options.every * 1000, read);
  const { text, doubt, remarks = [], code } = await read();
  if (isForPeople(options.output)) printPaged(text, options);
  else process.stdout.write(text);
  for (const it of remarks) process.stderr.write(`${it}\n`);
  printDoubt(doubt);
  return code;
}

async function showAgain(everyMs: number, read: () => Promise<ShownList>): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  let last: number = EXIT.nothingFound;
  await watchScreen(
    async () => {
      const { text, doubt, remarks = [], code } = await read();
      last = code;
      return [text.trimEnd(), ...remarks, ...(doubt === undefined ? [] : [`Not known: ${doubt}`])]
        .map((it) => `${it}\n`)
        .join('');
    },
    { everyMs, signal: stop.signal },
  );
  return last;
}
