import type { Database } from './sqlite-database';
import { Failure } from '../errors';
import type { Headers, LogBatch, LogRecord } from './log';
import type { StoredPartition } from './sqlite-topics';

/** A batch ends early beyond this, so that large values do not fill the memory. */
const BATCH_BYTES = 8 * 1_048_576;

interface Row {
  readonly offset: number;
  readonly timestamp: number;
  readonly key: string;
  readonly headers: string | null;
  readonly value: Buffer | null;
}

const recordOf = ({ offset, timestamp, key, headers, value }: Row): LogRecord => ({
  offset: BigInt(offset),
  key,
  value,
  headers: headers === null ? {} : (JSON.parse(headers) as Headers),
  timestamp,
});

/**
 * Where to start for a position; throws Failure `log-position-lost` when records before it were
 * removed unread, or it is beyond the end.
 */
function startOf({ topic, number, low, high }: StoredPartition, from: bigint): number {
  if (from === 0n) return low;
  if (from >= BigInt(low) && from <= BigInt(high)) return Number(from);
  const why =
    from > BigInt(high)
      ? 'beyond the end: the log was replaced'
      : 'before the beginning: retention removed what was not yet read';
  throw new Failure(
    'log-position-lost',
    `Position ${from} of ${topic.name}/${number} is ${why} (it holds ${low} to ${high}). Read it again from offset ${low}.`,
  );
}

export type ReadBatch = (partition: StoredPartition, from: bigint, max: number) => LogBatch;

/** Reads a partition in order; at most `max` records and some MiB a batch. */
export function createSqliteReader(db: Database): ReadBatch {
  const select = db.prepare<[number, number, number], Row>(
    'SELECT "offset", timestamp, key, headers, value FROM record WHERE partition = ? AND "offset" >= ? ORDER BY "offset" LIMIT ?',
  );
  return (partition, from, max) => {
    const start = startOf(partition, from);
    const records: LogRecord[] = [];
    let bytes = 0;
    for (const row of select.iterate(partition.id, start, max)) {
      records.push(recordOf(row));
      bytes += row.value?.length ?? 0;
      if (bytes >= BATCH_BYTES) break;
    }
    const whole = bytes < BATCH_BYTES && records.length < max;
    const last = records.at(-1);
    const next = whole || !last ? BigInt(partition.high) : last.offset + 1n;
    return { topic: partition.topic.name, partition: partition.number, records, next };
  };
}
