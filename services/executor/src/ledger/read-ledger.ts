import { existsSync } from 'node:fs';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { foldLog } from './fold-log';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { Ledger } from './ledger';
import type { LedgerReader } from './ledger-reader';
import { LedgerIdentity } from './ledger-identity';

/**
 * Reads an executor's ledger without disturbing the executor that writes it.
 * @throws Failure `input-not-found`, `state-corrupt`; and whatever `use` does.
 */
export function readLedger<T>(
  path: string,
  use: (ledger: LedgerReader, owners: Pick<LedgerIdentity, 'get'>) => T,
): T {
  if (!existsSync(path))
    throw new Failure(
      'input-not-found',
      `${path} does not exist: no executor has worked with this state directory; name another with --state-dir, or the brokers of Kafka with --kafka-brokers`,
    );
  const db = opened(path);
  try {
    const file = { path, db };
    return use(new Ledger(file), new LedgerIdentity(file));
  } finally {
    db.close();
  }
}

function opened(path: string): ReturnType<typeof openSqliteDatabase> {
  try {
    const db = openSqliteDatabase(path, { readonly: true, timeout: 5000 });
    try {
      db.prepare('SELECT record FROM action LIMIT 1').get();
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw new Failure(
      'state-corrupt',
      `${path} cannot be read as an executor's memory (${messageOf(error)})`,
      { cause: error },
    );
  }
}

/** A ledger in memory that follows the log. */
export interface FollowedLedger {
  /**
   * To the log's end as it is now; takes only what came since the last time. `unreadable`: how many
   * records are no actions.
   * @throws Failure as reading does.
   */
  read<T>(signal: AbortSignal, use: (ledger: LedgerReader, unreadable: number) => T): Promise<T>;
  close(): void;
}

/**
 * The ledger as the log has it, of all partitions; writes nothing. The log stays open when it is
 * closed.
 */
export function followLedger(log: Log): FollowedLedger {
  const file = openStateFile(':memory:');
  const ledger = new Ledger(file);
  let unreadable = 0;
  return {
    async read(signal, use) {
      for (let partition = 0; partition < PARTITIONS; partition += 1)
        unreadable += (
          await foldLog({ log, ledger, partition, signal, onPoison: async () => undefined })
        ).poison;
      return use(ledger, unreadable);
    },
    close: () => file.close(),
  };
}

/** The ledger as the log has it at one moment. */
export async function ledgerOfLog<T>(
  log: Log,
  signal: AbortSignal,
  use: (ledger: LedgerReader, unreadable: number) => T,
): Promise<T> {
  const followed = followLedger(log);
  return followed.read(signal, use).finally(() => followed.close());
}
