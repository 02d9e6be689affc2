import { join } from 'node:path';
import type { Command } from 'commander';
import { type LedgerReader, ledgerOfLog, readLedger } from '@ovn-steward/executor';
import { FILES } from './state-files';
import { type LogOptions, openLog } from './log';
import { settingsFrom } from './settings';

/** The options that name a ledger. */
export const withLedgerOptions = (command: Command): Command =>
  command
    .option(
      '--state-dir <folder>',
      'the state folder of a pipeline or executor, which may be running',
    )
    .option(
      '--kafka-brokers <list>',
      'the log on Kafka: host:port of some brokers, separated by commas; the other settings of kafka say how to log in',
    )
    .option('--config <file>', 'settings as YAML or JSON; see steward config');

/**
 * Gives the ledger that is meant: of the log on Kafka where brokers are known, unless `--state-dir` names a memory; else the executor's memory in the state
 * directory. Changes nothing. `unreadable`: how many records of the log are no actions.
 * @throws Failure `config-invalid`, `input-not-found`, `state-corrupt`, and as reading a log does.
 */
export async function withLedger<T>(
  options: LogOptions,
  use: (ledger: LedgerReader, unreadable: number) => T,
): Promise<T> {
  const { stateDir, kafkaBrokers, config: file } = options;
  const { config } = settingsFrom({
    ...(stateDir !== undefined && { stateDir }),
    ...(kafkaBrokers !== undefined && { kafkaBrokers }),
    ...(file !== undefined && { config: file }),
  });
  if (kafkaBrokers === undefined && (stateDir !== undefined || config.kafka.brokers.length === 0))
    return readLedger(join(config.stateDir, FILES.executor), (it) => use(it, 0));
  const log = await openLog(options);
  try {
    return await ledgerOfLog(log, new AbortController().signal, use);
  } finally {
    await log.close();
  }
}
