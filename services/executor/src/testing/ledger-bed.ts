import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { TOPICS } from '@ovn-steward/shared/log/topics';
import { Ledger } from '../ledger/ledger';
import { NOW } from './findings';

/** An embedded log at `NOW` with our topics, and a ledger with nothing in it, both in memory. */
export async function openLedgerBed(): Promise<{ readonly log: Log; readonly ledger: Ledger }> {
  const log = openSqliteLog({ file: ':memory:', now: () => NOW.getTime() });
  await log.ensureTopics(TOPICS);
  return { log, ledger: new Ledger(openStateFile(':memory:')) };
}
