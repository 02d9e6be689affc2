import type { NewRecord } from './log';

/** A record batch's own fields (Kafka message format v2: baseOffset … recordCount). */
const BATCH_OVERHEAD = 61;
/**
 * The most a record's own fields take in that format: length, attributes, timestamp and offset
 * deltas, key and value lengths, header count.
 */
const RECORD_OVERHEAD = 36;
const HEADER_OVERHEAD = 10;

/** The most bytes a record takes in a batch. */
export function recordBytes({
  key,
  value,
  headers,
}: Pick<NewRecord, 'key' | 'value' | 'headers'>): number {
  let bytes =
    RECORD_OVERHEAD +
    Buffer.byteLength(key) +
    (typeof value === 'string' ? Buffer.byteLength(value) : (value?.length ?? 0));
  for (const name in headers)
    bytes += HEADER_OVERHEAD + Buffer.byteLength(name) + Buffer.byteLength(headers[name]!);
  return bytes;
}

/**
 * The most bytes that records appended together take: what a topic's `maxMessageBytes` limits, in
 * every adapter.
 */
export const batchBytes = (records: readonly NewRecord[]): number =>
  records.reduce((sum, it) => sum + recordBytes(it), BATCH_OVERHEAD);

/** Enough that the next one costs little, and little enough for the topics that take a MiB. */
const USUAL_BYTES = 512 * 1024;

/**
 * The records in their order, cut into batches of at most `maxBytes`; one that is larger by itself
 * goes alone.
 */
export function* inBatches<R extends NewRecord>(
  records: readonly R[],
  maxBytes = USUAL_BYTES,
): Generator<R[]> {
  let batch: R[] = [];
  let bytes = BATCH_OVERHEAD;
  for (const record of records) {
    const size = recordBytes(record);
    if (batch.length > 0 && bytes + size > maxBytes) {
      yield batch;
      batch = [];
      bytes = BATCH_OVERHEAD;
    }
    batch.push(record);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
