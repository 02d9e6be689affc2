import type { Log, LogRecord } from '@ovn-steward/shared/log/log';
import { ACTIONS } from '@ovn-steward/shared/log/topics';
import type { RefusedFor } from '@ovn-steward/shared/log/origin';
import type { Ledger } from './ledger';
import { type ActionEntry, readAction } from './read-action';

const READ_BATCH = 500;

/**
 * A record that is no action, with the reason; `refused` where no executor is proven to have
 * written it.
 */
export interface PoisonRecord {
  readonly record: LogRecord;
  readonly why: string;
  readonly refused?: RefusedFor | undefined;
}

export interface FoldOptions {
  readonly log: Log;
  readonly ledger: Ledger;
  readonly partition: number;
  readonly signal: AbortSignal;
  /**
   * Called before the position moves past them: after a crash in between it is called with the same
   * again.
   */
  readonly onPoison: (poison: readonly PoisonRecord[]) => Promise<void>;
}

/** What was read. */
export interface FoldedLog {
  readonly records: number;
  /** How many of them changed what stands. */
  readonly news: number;
  readonly poison: number;
  /** How many are ignored, since their author is not proven and what stands is known better. */
  readonly refused: number;
}

/**
 * Folds the actions of a partition into the ledger, from where it is to the end of the log as it is
 * now.
 * @throws Failure `log-position-lost` when the log is not the one the ledger knows; else as
 *   `Log.read`; the signal's reason when it fires.
 */
export async function foldLog({
  log,
  ledger,
  partition,
  signal,
  onPoison,
}: FoldOptions): Promise<FoldedLog> {
  const { high } = await log.watermarks(ACTIONS, partition);
  let from = ledger.position(partition) ?? 0n;
  let records = 0;
  let news = 0;
  let poison = 0;
  let refused = 0;
  // Beyond the end, the log itself says that the position is lost.
  while (from !== high) {
    signal.throwIfAborted();
    const batch = await log.read(ACTIONS, partition, from, READ_BATCH);
    const read = sorted(partition, batch.records);
    if (read.poison.length > 0) await onPoison(read.poison);
    const taken = ledger.take(partition, read.entries, batch.next, read.hidden);
    news += taken.news;
    refused += taken.refused;
    records += batch.records.length;
    poison += read.poison.length;
    if (batch.next <= from || batch.next >= high) break;
    from = batch.next;
  }
  return { records, news, poison, refused };
}

function sorted(
  partition: number,
  records: readonly LogRecord[],
): {
  readonly entries: readonly ActionEntry[];
  readonly poison: readonly PoisonRecord[];
  /** Keys whose last record here counts for nothing. */
  readonly hidden: ReadonlySet<string>;
} {
  const entries: ActionEntry[] = [];
  const poison: PoisonRecord[] = [];
  const hidden: Set<string> = new Set();
  for (const record of records) {
    const action = readAction(partition, record);
    if ('poison' in action) {
      poison.push({ record, why: action.poison, refused: action.refused });
      hidden.add(record.key);
    } else {
      entries.push(action);
      hidden.delete(record.key);
    }
  }
  return { entries, poison, hidden };
}
