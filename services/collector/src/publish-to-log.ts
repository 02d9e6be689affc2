import { type Change, changeKey } from '@ovn-steward/shared/events/change';
import type { Log, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Publish } from './deliver';

/**
 * One change as records of the log: JSON under the entity's key. A deletion is its record, then a tombstone under the same key, so that
 * compaction removes the entity at last; both carry (id, stream, epoch, seq) in headers, since a tombstone has no value to tell it by.
 */
export function recordsOf(change: Change): NewRecord[] {
  const key = changeKey(change);
  const timestamp = Date.parse(change.observedAt);
  const value = JSON.stringify(change);
  if (change.type !== 'delete') return [{ key, value, timestamp }];
  const headers = { id: change.id, stream: change.stream, epoch: String(change.epoch), seq: String(change.seq) };
  return [{ key, value, headers, timestamp }, { key, value: null, headers, timestamp }];
}

/** Publishes to the partition of the cluster: one cluster is one ordered stream. */
export const publishToLog = (log: Pick<Log, 'append'>, cluster: string): Publish => async (changes) => {
  if (changes.length) await log.append(CHANGES, partitionOf(cluster, PARTITIONS), changes.flatMap(recordsOf));
};
