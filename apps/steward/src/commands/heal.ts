import type { Command } from 'commander';
import { EXIT } from '../process/exit-codes';
import { healStreams } from '../heal/heal-streams';
import {
  buriable,
  healingEpoch,
  type PoisonedStream,
  poisonedStreams,
} from '../heal/poisoned-streams';
import { healText } from '../output/heal-text';
import { type LogOptions, openLog, withLog } from '../inputs/log';
import { reportOption } from '../inputs/report-option';

interface HealOptions extends LogOptions {
  readonly cluster: string;
  readonly stream?: string;
  readonly yes?: boolean;
  readonly output: 'text' | 'json';
}

/** `steward heal`: without `--yes` it only shows what it would write. */
export function healCommand(program: Command, done: (code: number) => void): void {
  withLog(
    program
      .command('heal')
      .description(
        'repair streams whose log has records that readers refuse, such as one with an impossible epoch; without --yes only show them',
      ),
  )
    .requiredOption('--cluster <name>', 'the cluster whose changes are searched')
    .option('--stream <name>', 'only this stream, such as ovn-nb or kubernetes/Pod')
    .option('--yes', 'write them')
    .addOption(reportOption())
    .addHelpText(
      'after',
      '\nExample:\n  steward heal --cluster prod --stream kubernetes/Pod --kafka-brokers kafka-1:9092\n',
    )
    .action(async (options: HealOptions) => {
      const { cluster, yes = false } = options;
      const log = await openLog(options);
      try {
        const streams = await poisonedStreams(log, cluster, options.stream);
        if (yes) await healStreams(log, cluster, streams, new Date());
        process.stdout.write(
          options.output === 'json' ? json(streams, yes) : healText(cluster, streams, yes),
        );
        done(exitOf(streams, yes));
      } finally {
        await log.close();
      }
    });
}

/** What a later version wrote is unknown before and after. */
function exitOf(streams: readonly PoisonedStream[], written: boolean): number {
  if (!written && streams.some((it) => buriable(it).length > 0)) return EXIT.findings;
  return streams.some((it) => buriable(it).length < it.keys.length)
    ? EXIT.couldNotKnow
    : EXIT.nothingFound;
}

const json = (streams: readonly PoisonedStream[], written: boolean): string =>
  `${JSON.stringify(
    streams.map((poisoned) => ({
      stream: poisoned.stream,
      source: poisoned.source,
      epoch: healingEpoch(poisoned) ?? null,
      written: written && buriable(poisoned).length > 0,
      keys: poisoned.keys.map(({ key, offset, why, later }) => ({
        key,
        offset: String(offset),
        why,
        later,
      })),
    })),
    null,
    2,
  )}\n`;
