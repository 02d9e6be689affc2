import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { signedLog } from '@ovn-steward/shared/signing/signed-log';
import { signingOf } from '@ovn-steward/shared/signing/signing-of';
import { FILES } from './state-files';
import { settingsFrom } from './settings';

/** Which log, as the command line says it. */
export interface LogOptions {
  readonly stateDir?: string;
  readonly kafkaBrokers?: string;
  readonly config?: string;
}

/** The options every command that opens a log shares. */
export const withLog = (command: Command): Command =>
  command
    .option('--state-dir <folder>', 'the embedded log of a pipeline, which must not be running')
    .option(
      '--kafka-brokers <list>',
      'the log on Kafka: host:port of some brokers, separated by commas; the other settings of kafka say how to log in',
    )
    .option('--config <file>', 'settings as YAML or JSON; see steward config');

/**
 * Opens the log that is meant: the embedded one for `--state-dir`, else the one on Kafka where
 * brokers are known, else the embedded one of the settings. Makes none. Throws Failure
 * `config-invalid`, `input-not-found`, `log-locked` and whatever opening a log throws.
 */
export async function openLog({ stateDir, kafkaBrokers, config: file }: LogOptions): Promise<Log> {
  if (stateDir !== undefined && kafkaBrokers !== undefined)
    throw new Failure(
      'config-invalid',
      'Both --state-dir and --kafka-brokers were given: name the one log that is meant.',
    );
  const { config } = settingsFrom({
    ...(stateDir !== undefined && { stateDir }),
    ...(kafkaBrokers !== undefined && { kafkaBrokers }),
    ...(file !== undefined && { config: file }),
  });
  if (stateDir === undefined && config.kafka.brokers.length > 0) {
    // Only here: kafkajs takes a while to load, and most commands do without.
    const [{ openKafkaLog }, { kafkaLogOptions }] = await Promise.all([
      import('@ovn-steward/shared/log/kafka-log'),
      import('@ovn-steward/shared/settings/kafka-settings'),
    ]);
    const signing = signingOf(config.signing, () => undefined);
    return signedLog(openKafkaLog(kafkaLogOptions(config.kafka)), signing);
  }
  const path = join(config.stateDir, FILES.log);
  if (!existsSync(path))
    throw new Failure(
      'input-not-found',
      `There is no event log ${path}: name the folder of a pipeline with --state-dir, or the brokers of Kafka with --kafka-brokers.`,
    );
  return openSqliteLog({ file: path });
}
