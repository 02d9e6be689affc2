import { type Change, changeKey } from '@ovn-steward/shared/events/change';
import { inBatches } from '@ovn-steward/shared/log/batch-bytes';
import type { AppendAck, Log, NewRecord } from '@ovn-steward/shared/log/log';
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

/** Ranges of offsets with those that touch made one. */
function joined(acks: readonly AppendAck[]): AppendAck[] {
  const ranges: AppendAck[] = [];
  for (const { first, next } of acks) {
    const last = ranges.at(-1);
    if (last?.next === first) ranges[ranges.length - 1] = { first: last.first, next };
    else ranges.push({ first, next });
  }
  return ranges;
}

/**
 * Publishes to the partition of the cluster: one cluster is one ordered stream. What does not fit one append goes in several; when a later one
 * fails all are sent again, and readers drop those they have.
 */
export function publishToLog(log: Pick<Log, 'append'>, cluster: string): Publish {
  const partition = partitionOf(cluster, PARTITIONS);
  return async (changes) => {
    const acks: AppendAck[] = [];
    for (const batch of inBatches(changes.flatMap(recordsOf))) acks.push(await log.append(CHANGES, partition, batch));
    return { partition, offsets: joined(acks) };
  };
}
