import type { RowChange } from '../replica/row-change';
import type { TornTail } from './record-stream';
import { type ReadOptions, replay, type Replayed } from './replay';

/** One transaction of a database file's history. */
export interface HistoryTransaction {
  /**
   * From 0, counting the transactions that were committed. Number 0 is the content the history
   * begins with.
   */
  readonly index: number;
  /** The number of the file's record that holds it, from 0. */
  readonly record: number;
  /** When it was committed, by the clock of the server that did. */
  readonly date?: Date;
  /** What its author said of it; files name no author. */
  readonly comment?: string;
  /** Rows are live: read them before going on to the next transaction. */
  readonly changes: readonly RowChange[];
}

/** How the history ended: the generator's return value, for who wants to know. */
export interface HistoryEnd {
  readonly records: number;
  /** See {@link DatabaseFile.uncommitted}. */
  readonly uncommitted: number;
  readonly tornTail?: TornTail;
}

/**
 * Replays the history a database file holds, from the oldest transaction on. The first one given is
 * where the history begins: a compaction's snapshot, or the first transaction ever. Take its rows
 * for observed, not for created: compaction forgets.
 *
 * @throws what {@link readDatabaseFile} throws, at the transaction it concerns: all given before
 *   are sound.
 */
export async function* readHistory(
  path: string,
  options: ReadOptions = {},
): AsyncGenerator<HistoryTransaction, HistoryEnd> {
  const transactions = replay(path, options);
  let index = 0;
  try {
    for (;;) {
      const step = await transactions.next();
      if (step.done) return endOf(step.value);
      const { record, date, comment, changes } = step.value;
      yield {
        index: index++,
        record,
        changes,
        ...(date && { date }),
        ...(comment !== undefined && { comment }),
      };
    }
  } finally {
    // Closes the file when the reader stops early.
    await transactions.return(undefined as never);
  }
}

const endOf = ({ database, stream }: Replayed): HistoryEnd => ({
  records: stream.count,
  uncommitted: database.format === 'clustered' ? database.uncommitted : 0,
  ...(stream.tornTail && { tornTail: stream.tornTail }),
});
