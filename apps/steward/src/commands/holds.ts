import type { Command } from 'commander';
import { EXIT } from '../process/exit-codes';
import { channelOf, type ChannelOptions, withChannel, withServer } from '../inputs/decisions';
import { readStanding } from '../inputs/standing';
import { holdsMarkdown, holdsText } from '../output/holds-text';
import { type ListForm, outputOption } from '../inputs/list-form';
import { listText } from '../output/list-forms';
import { fitted } from '../output/terminal';

interface HoldsOptions extends ChannelOptions {
  readonly output: ListForm | 'text';
}

/** `steward holds`: which holds are in force, and which executors heed them. */
export function holdsCommand(program: Command, done: (code: number) => void): void {
  withServer(
    withChannel(
      program
        .command('holds')
        .description(
          'show the holds in force: scope, reason, who set them, until when, and which executors heed them',
        ),
    ),
  )
    .option('--cluster <name>', 'the cluster it is about')
    .option('--config <file>', 'settings as YAML or JSON; see steward config')
    .addOption(outputOption(['text']))
    .action(async (options: HoldsOptions) => {
      const { cluster, holds, executors } = await readStanding(await channelOf(options));
      const text = (): string => fitted(holdsText(holds, executors, cluster));
      process.stdout.write(
        listText(options.output === 'text' ? 'table' : options.output, {
          document: { cluster, holds, executors },
          items: holds,
          ...{ table: text, wide: text, markdown: () => holdsMarkdown(holds, cluster) },
        }),
      );
      done(EXIT.nothingFound);
    });
}
