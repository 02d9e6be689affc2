import { type Command, Option } from 'commander';
import { standingHolds } from '@ovn-steward/executor';
import { Failure } from '@ovn-steward/shared/errors';
import { existsSync } from 'node:fs';
import { EXIT } from '../process/exit-codes';
import { openDecided } from '../inputs/decided';
import { channelOf, type ChannelOptions, withChannel } from '../inputs/decisions';
import { holdsText } from '../output/holds-text';

interface HoldsOptions extends ChannelOptions {
  readonly output: 'text' | 'json';
}

/** `steward holds`: which holds are in force, and which executors heed them. */
export function holdsCommand(program: Command, done: (code: number) => void): void {
  withChannel(
    program
      .command('holds')
      .description(
        'show the holds in force: scope, reason, who set them, until when, and which executors heed them',
      ),
  )
    .option('--cluster <name>', 'the cluster it is about')
    .option('--config <file>', 'settings as YAML or JSON; see steward config')
    .addOption(
      new Option('-o, --output <form>', 'how to report').choices(['text', 'json']).default('text'),
    )
    .action(async (options: HoldsOptions) => {
      const channel = await channelOf(options);
      if (channel.stateDir !== undefined && !existsSync(channel.stateDir))
        throw new Failure(
          'input-not-found',
          `There is no folder ${channel.stateDir}: name that of a pipeline with --state-dir, or the brokers of Kafka with --kafka-brokers.`,
        );
      const decided = await openDecided(channel);
      const state = await decided.now().finally(() => decided.close());
      const holds = standingHolds(state, new Date());
      const executors = [...state.heard].map(([executor, { at }]) => ({ executor, lastSeen: at }));
      process.stdout.write(
        options.output === 'json'
          ? `${JSON.stringify({ cluster: channel.cluster, holds, executors }, null, 2)}\n`
          : holdsText(holds, executors, channel.cluster),
      );
      done(EXIT.nothingFound);
    });
}
