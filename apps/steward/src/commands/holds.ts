import { type Command, Option } from 'commander';
import { EXIT } from '../process/exit-codes';
import { channelOf, type ChannelOptions, withChannel, withServer } from '../inputs/decisions';
import { readStanding } from '../inputs/standing';
import { holdsText } from '../output/holds-text';

interface HoldsOptions extends ChannelOptions {
  readonly output: 'text' | 'json';
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
    .addOption(
      new Option('-o, --output <form>', 'how to report').choices(['text', 'json']).default('text'),
    )
    .action(async (options: HoldsOptions) => {
      const { cluster, holds, executors } = await readStanding(await channelOf(options));
      process.stdout.write(
        options.output === 'json'
          ? `${JSON.stringify({ cluster, holds, executors }, null, 2)}\n`
          : holdsText(holds, executors, cluster),
      );
      done(EXIT.nothingFound);
    });
}
