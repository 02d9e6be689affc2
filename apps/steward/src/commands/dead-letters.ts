import type { Command } from 'commander';
import type { DeadLetterList } from '@ovn-steward/contracts/dead-letters/list-dead-letters';
import { letterAt } from '@ovn-steward/contracts/dead-letters/read-dead-letters';
import type { Log } from '@ovn-steward/shared/log/log';
import { EXIT } from '../process/exit-codes';
import { type DeadLettersOptions, withDeadLetters, withLetters } from '../inputs/dead-letters';
import { deadLettersText } from '../output/dead-letters-text';
import { replayCommand } from './dead-letters-replay';

/** `steward dead-letters`: the records that some service set aside, and `replay`, which sends them again. */
export function deadLettersCommand(program: Command, done: (code: number) => void): void {
  const command = withDeadLetters(
    program
      .command('dead-letters')
      .description('list the dead letters: records that could not be read or published'),
  ).action((options: DeadLettersOptions) =>
    withLetters(options, async (log, list) => {
      if (options.output === 'table') process.stdout.write(deadLettersText(list));
      else await writeJson(log, list);
      done(
        list.unreadable.length > 0 || list.letters.some((it) => it.replayedAt === null)
          ? EXIT.findings
          : EXIT.nothingFound,
      );
    }),
  );
  replayCommand(command, done);
}

/** An array of whole letters, one at a time: together they may be larger than the memory. */
async function writeJson(log: Log, { letters }: DeadLetterList): Promise<void> {
  process.stdout.write('[');
  for (const [at, { stored, replayedAt }] of letters.entries()) {
    const letter = await letterAt(log, stored);
    process.stdout.write(`${at === 0 ? '\n' : ',\n'}${JSON.stringify({ ...letter, replayedAt })}`);
  }
  process.stdout.write('\n]\n');
}
