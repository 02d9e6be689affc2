import { type Command, Option } from 'commander';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { safeText } from '@ovn-steward/shared/safe-text';
import { EXIT } from '../process/exit-codes';
import { healingEpoch, healStreams } from '../heal/heal-streams';
import { type PoisonedStream, poisonedStreams } from '../heal/poisoned-streams';
import { type LogOptions, openLog, withLog } from '../inputs/log';

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
        'make streams known again whose keys hold records that readers refuse, such as one of an epoch nobody can have; without --yes it only shows them',
      ),
  )
    .requiredOption('--cluster <name>', 'the cluster whose changes are looked through')
    .option('--stream <name>', 'only this stream, such as ovn-nb or kubernetes/Pod')
    .option('--yes', 'do it')
    .addOption(
      new Option('--output <form>', 'how to report').choices(['text', 'json']).default('text'),
    )
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
          options.output === 'json' ? json(streams, yes) : text(cluster, streams, yes),
        );
        done(yes || streams.length === 0 ? EXIT.nothingFound : EXIT.findings);
      } finally {
        await log.close();
      }
    });
}

function text(cluster: string, streams: readonly PoisonedStream[], written: boolean): string {
  const place = `${CHANGES}/${partitionOf(cluster, PARTITIONS)}`;
  if (streams.length === 0) return `Nothing to heal in ${place} of cluster ${cluster}.\n`;
  const end = written
    ? 'A collector at work notices within some ten seconds, gives up its turn and reads everything in full; one that does not run does so at its next start. Until then these streams count as unknown.'
    : 'Nothing was written. To heal, say it again with --yes.';
  return `${[...streams.flatMap((it) => lines(it, place, written)), end].join('\n')}\n`;
}

function lines(poisonedStream: PoisonedStream, place: string, written: boolean): string[] {
  const epoch = healingEpoch(poisonedStream);
  const would = written ? 'was' : 'would be';
  return [
    `${safeText(poisonedStream.stream, 120)}${epoch === undefined ? ', of which nothing is believed' : `: ${would} told to be unknown, in epoch ${epoch}`}`,
    ...poisonedStream.keys.flatMap(({ key, offset, why }) => [
      `  ${place}/${offset}, under the key ${safeText(key, 120)}: ${would} buried by a tombstone`,
      `    ${safeText(why)}`,
    ]),
  ];
}

const json = (streams: readonly PoisonedStream[], written: boolean): string =>
  `${JSON.stringify(
    streams.map((it) => ({
      stream: it.stream,
      source: it.source,
      epoch: healingEpoch(it) ?? null,
      written,
      keys: it.keys.map(({ key, offset, why }) => ({ key, offset: String(offset), why })),
    })),
    null,
    2,
  )}\n`;
