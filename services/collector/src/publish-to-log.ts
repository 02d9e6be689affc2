import { type Change, changeKey } from '@ovn-steward/shared/events/change';
import type { Log, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Publish } from './deliver';

/**
 * One change as records of the log: JSON under the entity's key. A deletion is its record, then a tombstone under the same key, so that
 * compaction removes the entity at last; both carry (id, stream, epoch, seq) in headers, since a tombstone has no value to tell it by.
 */
function recordsOf(change: Change): NewRecord[] {
  const key = changeKey(change);
  const timestamp = Date.parse(change.observedAt);
  const value = JSON.stringify(change);
  if (change.type !== 'delete') return [{ key, value, timestamp }];
  const headers = { id: change.id, stream: change.stream, epoch: String(change.epoch), seq: String(change.seq) };
  return [{ key, value, headers, timestamp }, { key, value: null, headers, timestamp }];
}

/** Kafka limits a whole batch to `max.message.bytes`, one MiB on our topics; this leaves room for keys, headers and framing. */
const BATCH_BYTES = 512 * 1024;

function* batches(records: readonly NewRecord[]): Generator<NewRecord[]> {
  let batch: NewRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = Buffer.byteLength(record.value ?? '');
    if (batch.length && bytes + size > BATCH_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(record);
    bytes += size;
  }
  if (batch.length) yield batch;
}

/**
 * Publishes to the partition of the cluster: one cluster is one ordered stream. What does not fit one append goes in several; when a later one
 * fails all are sent again, and readers drop those they have.
 */
export const publishToLog = (log: Pick<Log, 'append'>, cluster: string): Publish => async (changes) => {
  for (const batch of batches(changes.flatMap(recordsOf))) await log.append(CHANGES, partitionOf(cluster, PARTITIONS), batch);
};
