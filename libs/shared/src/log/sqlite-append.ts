import type { Database } from './sqlite-database';
import type { AppendAck, NewRecord } from './log';
import type { StoredPartition } from './sqlite-topics';
import { takeGroup, type WaitingAppend } from './take-group';
import { weighBatch } from './weigh-batch';

/**
 * What one transaction takes together, so that it holds the event loop for some milliseconds only.
 */
const GROUP = { records: 1000, bytes: 4 * 1_048_576 };

interface Row {
  readonly key: string;
  readonly value: Buffer | null;
  readonly headers: string | null;
  readonly timestamp: number;
}

interface Call extends WaitingAppend {
  readonly partition: StoredPartition;
  readonly records: readonly Row[];
  resolve(ack: AppendAck): void;
  reject(error: unknown): void;
}

function rowOf({ key, value, headers, timestamp }: NewRecord): Row {
  const named = headers && Object.keys(headers).length > 0 ? JSON.stringify(headers) : null;
  return {
    key,
    value: typeof value === 'string' ? Buffer.from(value) : value,
    headers: named,
    timestamp,
  };
}

export interface SqliteAppender {
  append(partition: StoredPartition, records: readonly NewRecord[]): Promise<AppendAck>;
  /** Commits what is waiting, now. */
  flush(): void;
}

/**
 * Appends with group commit: the calls made in one turn of the event loop share a transaction and
 * its fsync. All of a call's records are stored or none; a failing transaction fails all its calls.
 */
export function createSqliteAppender(
  db: Database,
  options: {
    readonly now: () => number;
    readonly failure: (error: unknown) => unknown;
    readonly onAppended: () => void;
  },
): SqliteAppender {
  const insert = db.prepare(
    'INSERT INTO record (partition, "offset", timestamp, key, headers, value) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const moveHigh = db.prepare('UPDATE partition SET high = ? WHERE id = ?');
  const queue: Call[] = [];
  let scheduled = false;

  const store = db.transaction(
    (calls: readonly Call[]): { firsts: number[]; highs: Map<StoredPartition, number> } => {
      const highs = new Map<StoredPartition, number>();
      const firsts = calls.map(({ partition, records }) => {
        const first = highs.get(partition) ?? partition.high;
        records.forEach((row, at) =>
          insert.run(partition.id, first + at, row.timestamp, row.key, row.headers, row.value),
        );
        highs.set(partition, first + records.length);
        return first;
      });
      for (const [partition, high] of highs) moveHigh.run(high, partition.id);
      return { firsts, highs };
    },
  );

  const commit = (calls: readonly Call[]): void => {
    try {
      const { firsts, highs } = store.immediate(calls);
      for (const [partition, high] of highs) partition.high = high;
      calls.forEach((call, at) => {
        const first = BigInt(firsts[at] as number);
        call.resolve({ first, next: first + BigInt(call.records.length) });
      });
    } catch (error) {
      const failure = options.failure(error);
      for (const call of calls) call.reject(failure);
    }
    options.onAppended();
  };

  const turn = (): void => {
    scheduled = false;
    if (queue.length > 0) commit(takeGroup(queue, GROUP));
    if (queue.length > 0) schedule();
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(turn);
  };

  return {
    async append(partition, records) {
      const bytes = weighBatch(partition.topic, records, options.now());
      const rows = records.map(rowOf);
      return new Promise((resolve, reject) => {
        queue.push({ partition, records: rows, bytes, resolve, reject });
        schedule();
      });
    },
    flush() {
      while (queue.length > 0) commit(takeGroup(queue, GROUP));
    },
  };
}
