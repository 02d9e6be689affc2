import type { Command } from 'commander';
import { Option } from 'commander';
import {
  type DeadLetterList,
  listDeadLetters,
} from '@ovn-steward/contracts/dead-letters/list-dead-letters';
import type { Log } from '@ovn-steward/shared/log/log';
import { DEAD_LETTER, TOPICS } from '@ovn-steward/shared/log/topics';
import { type ListForm, outputOption } from './list-form';
import { type LogOptions, openLog, withLog } from './log';

/** Which dead letters, as the command line says it. */
export interface DeadLettersOptions extends LogOptions {
  readonly topic?: string;
  readonly output: ListForm;
}

/** The options that listing and replaying share. */
export const withDeadLetters = (command: Command): Command =>
  withLog(command)
    .addOption(
      new Option('--topic <name>', 'only what came from this topic').choices(
        TOPICS.map(({ name }) => name).filter((it) => it !== DEAD_LETTER),
      ),
    )
    .addOption(outputOption());

/**
 * Opens the log that is meant, gives it with its dead letters (of the topic that is meant), and
 * closes it whatever happens.
 */
export async function withLetters<T>(
  options: DeadLettersOptions,
  use: (log: Log, list: DeadLetterList) => Promise<T>,
): Promise<T> {
  const log = await openLog(options);
  try {
    const { letters, unreadable } = await listDeadLetters(log);
    return await use(
      log,
      options.topic === undefined
        ? { letters, unreadable }
        : { letters: letters.filter((it) => it.topic === options.topic), unreadable: [] },
    );
  } finally {
    await log.close();
  }
}
