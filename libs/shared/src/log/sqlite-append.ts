import type { Database } from './sqlite-database';
import { Failure } from '../errors';
import { batchBytes, recordBytes } from './batch-bytes';
import type { AppendAck, NewRecord, TopicSpec } from './log';
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

const refused = (topic: string, what: string): Failure => new Failure('log-record-refused', `${what} Nothing of the batch was appended to ${topic}.`);
const nameOf = ({ key }: NewRecord): string => `The record with key ${JSON.stringify(key.slice(0, 200))}`;

/** What the batch weighs. Refuses one the topic does not take: a later start on Kafka must not meet what only we would have taken. */
function weigh({ name, maxMessageBytes }: TopicSpec, records: readonly NewRecord[]): number {
  const bytes = batchBytes(records);
  if (bytes <= maxMessageBytes) return bytes;
  const largest = records.reduce((most, it) => (recordBytes(it) > recordBytes(most) ? it : most));
  const alone = batchBytes([largest]);
  if (alone > maxMessageBytes) throw refused(name, `${nameOf(largest)} weighs ${alone} bytes, and the topic takes ${maxMessageBytes}: send less, or dead-letter it.`);
  throw refused(name, `${records.length} records weigh ${bytes} bytes together, and the topic takes ${maxMessageBytes} at once: cut them with inBatches.`);
}

function rowOf(topic: TopicSpec, record: NewRecord, now: number): Row {
  const { key, timestamp } = record;
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) throw refused(topic.name, `${nameOf(record)} has the timestamp ${timestamp}, which is not a time in ms: correct the producer.`);
  if (timestamp > now + MAX_AHEAD_MS) throw refused(topic.name, `${nameOf(record)} is dated more than an hour ahead (${new Date(timestamp).toISOString()}): correct the clock of its producer.`);
  const value = typeof record.value === 'string' ? Buffer.from(record.value) : record.value;
  const headers = record.headers && Object.keys(record.headers).length > 0 ? JSON.stringify(record.headers) : null;
  return { key, value, headers, timestamp };
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
      const bytes = weigh(partition.topic, records);
      const rows = records.map((record) => rowOf(partition.topic, record, now));
      return new Promise((resolve, reject) => {
        queue.push({ partition, rows, bytes, resolve, reject });
        schedule();
      });
    },
    flush() {
      while (queue.length > 0) commit(takeGroup(queue));
    },
  };
}
