import type { Database } from 'better-sqlite3';
import { Failure } from '../errors';
import type { AppendAck, NewRecord } from './log';
import type { Partition } from './sqlite-topics';

/** As Kafka 4's `message.timestamp.after.max.ms`: a record from the far future would stop compaction for that long. */
const MAX_AHEAD_MS = 3_600_000;
/** What one transaction takes together, so that it holds the event loop for some milliseconds only. */
const GROUP_RECORDS = 1000;
const GROUP_BYTES = 4 * 1_048_576;

interface Row {
  readonly key: string;
  readonly value: Buffer | null;
  readonly headers: string | null;
  readonly timestamp: number;
}

interface Call {
  readonly partition: Partition;
  readonly rows: readonly Row[];
  readonly bytes: number;
  resolve(ack: AppendAck): void;
  reject(error: unknown): void;
}

/** The row of a record and its size: the bytes of key, value and headers. */
function rowOf(partition: Partition, record: NewRecord, now: number): { row: Row; bytes: number } {
  const { key, timestamp } = record;
  const { name, maxMessageBytes } = partition.topic;
  const value = typeof record.value === 'string' ? Buffer.from(record.value) : record.value;
  const headers = record.headers && Object.keys(record.headers).length > 0 ? JSON.stringify(record.headers) : null;
  const bytes = Buffer.byteLength(key) + (value?.length ?? 0) + (headers ? Buffer.byteLength(headers) : 0);
  const refused = (why: string): Failure => new Failure('log-record-refused', `A record for ${name} with key ${JSON.stringify(key.slice(0, 200))} ${why}. Nothing of its batch was appended.`);
  if (bytes > maxMessageBytes) throw refused(`has ${bytes} bytes, and the topic takes ${maxMessageBytes}: send less, or dead-letter it`);
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) throw refused(`has the timestamp ${timestamp}, which is not a time in ms: correct the producer`);
  if (timestamp > now + MAX_AHEAD_MS) throw refused(`is dated more than an hour ahead (${new Date(timestamp).toISOString()}): correct the clock of its producer`);
  return { row: { key, value, headers, timestamp }, bytes };
}

/** The calls at the head of the queue that one transaction takes: at least one, and never part of one. */
function takeGroup(queue: Call[]): Call[] {
  let records = 0;
  let bytes = 0;
  const end = queue.findIndex((call, at) => {
    records += call.rows.length;
    bytes += call.bytes;
    return at > 0 && (records > GROUP_RECORDS || bytes > GROUP_BYTES);
  });
  return queue.splice(0, end < 0 ? queue.length : end);
}

export interface Appender {
  append(partition: Partition, records: readonly NewRecord[]): Promise<AppendAck>;
  /** Commits what is waiting, now. */
  flush(): void;
}

/**
 * Appends with group commit: the calls made in one turn of the event loop share a transaction and its fsync. All of a
 * call's records are stored or none; a failing transaction fails all its calls.
 */
export function createAppender(db: Database, options: { readonly now: () => number; readonly failure: (error: unknown) => unknown; readonly onAppended: () => void }): Appender {
  const insert = db.prepare('INSERT INTO record (partition, "offset", timestamp, key, headers, value) VALUES (?, ?, ?, ?, ?, ?)');
  const moveHigh = db.prepare('UPDATE partition SET high = ? WHERE id = ?');
  const queue: Call[] = [];
  let scheduled = false;

  const store = db.transaction((calls: readonly Call[]): { firsts: number[]; highs: Map<Partition, number> } => {
    const highs = new Map<Partition, number>();
    const firsts = calls.map(({ partition, rows }) => {
      const first = highs.get(partition) ?? partition.high;
      rows.forEach((row, at) => insert.run(partition.id, first + at, row.timestamp, row.key, row.headers, row.value));
      highs.set(partition, first + rows.length);
      return first;
    });
    for (const [partition, high] of highs) moveHigh.run(high, partition.id);
    return { firsts, highs };
  });

  const commit = (calls: readonly Call[]): void => {
    try {
      const { firsts, highs } = store.immediate(calls);
      for (const [partition, high] of highs) partition.high = high;
      calls.forEach((call, at) => {
        const first = BigInt(firsts[at] as number);
        call.resolve({ first, next: first + BigInt(call.rows.length) });
      });
    } catch (error) {
      const failure = options.failure(error);
      for (const call of calls) call.reject(failure);
    }
    options.onAppended();
  };

  const turn = (): void => {
    scheduled = false;
    if (queue.length > 0) commit(takeGroup(queue));
    if (queue.length > 0) schedule();
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(turn);
  };

  return {
    async append(partition, records) {
      if (records.length === 0) throw new RangeError('append needs at least one record');
      const now = options.now();
      const sized = records.map((record) => rowOf(partition, record, now));
      return new Promise((resolve, reject) => {
        queue.push({ partition, rows: sized.map(({ row }) => row), bytes: sized.reduce((sum, { bytes }) => sum + bytes, 0), resolve, reject });
        schedule();
      });
    },
    flush() {
      while (queue.length > 0) commit(takeGroup(queue));
    },
  };
}
