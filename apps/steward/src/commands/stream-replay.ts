import { type Command, Option } from 'commander';
import { Failure } from '@ovn-steward/shared/errors';
import { FINDINGS, isServiceTopic, TOPICS } from '@ovn-steward/shared/log/topics';
import { openLog } from '../inputs/log';
import { EXIT } from '../process/exit-codes';
import { readStream, RECORDED_STREAM } from '../stream/recorded-stream';

interface ReplayOptions {
  readonly kafkaBrokers?: string;
  readonly topic: string;
  readonly config?: string;
  readonly stream: string;
}

/**
 * `steward stream replay`: puts a recorded stream of findings onto a topic of its own, never onto
 * one that services read.
 */
export function streamReplayCommand(parent: Command, done: (code: number) => void): void {
  parent
    .command('replay')
    .description('write a stream of findings with everything that a reader meets to a Kafka topic')
    .requiredOption('--kafka-brokers <list>', 'host:port of some brokers, separated by commas')
    .requiredOption('--topic <name>', 'a topic for tests; made where it is missing')
    .option('--config <file>', 'settings as YAML or JSON; those of kafka say how to log in')
    .addOption(
      new Option('--stream <file>', 'the stream, one record a line').default(
        RECORDED_STREAM,
        'examples/stream/findings.ndjson',
      ),
    )
    .action(async (options: ReplayOptions) => {
      refuseOwnTopic(options.topic);
      const stream = readStream(options.stream);
      const log = await openLog(options);
      try {
        const findings = TOPICS.find((it) => it.name === FINDINGS)!;
        await log.ensureTopics([{ ...findings, name: options.topic }]);
        for (const { partition, key, value, headers } of stream)
          await log.append(options.topic, partition, [
            { key, value, headers, timestamp: Date.now() },
          ]);
      } finally {
        await log.close();
      }
      process.stdout.write(
        `${stream.length} records are on ${options.topic}. When your consumer has read them: steward stream check <table>\n`,
      );
      done(EXIT.nothingFound);
    });
}

/** An executor acts on what is on the real topic, also under a prefix. */
function refuseOwnTopic(topic: string): void {
  if (isServiceTopic(topic))
    throw new Failure(
      'config-invalid',
      `${topic} is a topic that services read: invented findings there could be acted on. Name a topic for tests, such as findings-test. Nothing was written.`,
    );
}
