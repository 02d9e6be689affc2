import { deadLetterOf } from '@ovn-steward/contracts/dead-letters/dead-letter-of';
import {
  type Change,
  changeKey,
  type Omitted,
  type Put,
} from '@ovn-steward/contracts/changes/change';
import { encodeChange } from '@ovn-steward/contracts/changes/change-codec';
import { batchBytes, inBatches } from '@ovn-steward/shared/log/batch-bytes';
import type { AppendAck, Log, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, DEAD_LETTER, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import type { Publish } from '../stream/deliver-step';

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

/** Characters of a name: enough to recognise it by. */
const NAME_KEPT = 1024;

const MOST_BYTES = TOPICS.find(({ name }) => name === CHANGES)!.maxMessageBytes;

const fits = (records: readonly NewRecord[]): boolean =>
  records.every((it) => batchBytes([it]) <= MOST_BYTES);

/**
 * The change as the topic takes it: without the object, and should a name alone be too long,
 * without its end. At the same position, under the same key.
 */
function shortened(change: Change): Change {
  if (change.type !== 'put' && change.type !== 'delete') return change;
  const short: Change = change.type === 'delete' ? change : omittedFrom(change);
  if (fits(encodeChange(short))) return short;
  return {
    ...short,
    name: short.name.slice(0, NAME_KEPT),
    ...(short.namespace !== undefined && { namespace: short.namespace.slice(0, NAME_KEPT) }),
  };
}

const omittedFrom = ({ object, ...put }: Put): Omitted => ({
  ...put,
  type: 'omitted',
  bytes: Buffer.byteLength(JSON.stringify(object)),
});

/**
 * Publishes to the partition of the cluster: one cluster is one ordered stream. What does not fit
 * one append goes in several; when a later one fails all are sent again, and readers drop those
 * they have. An object too large for the topic is published as `omitted`, after the whole record
 * was set aside as a dead letter; a reader of it knows the object's hash, as if the object had been
 * published.
 */
export function publishToLog(log: Pick<Log, 'append'>, cluster: string): Publish {
  const partition = partitionOf(cluster, PARTITIONS);
  const setAside = async (change: Change, records: readonly NewRecord[]): Promise<void> => {
    const record = { ...records[0]!, id: change.id };
    const why = `It weighs ${batchBytes([record])} bytes, and ${CHANGES} takes ${MOST_BYTES}: readers know that it is there, not what it holds.`;
    await log.append(DEAD_LETTER, partition, [
      deadLetterOf({
        topic: CHANGES,
        partition,
        record,
        by: 'collector',
        at: new Date(change.observedAt),
        why,
      }),
    ]);
  };
  return async (changes, contents) => {
    const acks: AppendAck[] = [];
    const omitted: string[] = [];
    const records: NewRecord[] = [];
    for (const [at, change] of changes.entries()) {
      const whole = encodeChange(change, contents?.[at]);
      if (fits(whole)) {
        records.push(...whole);
        continue;
      }
      await setAside(change, whole);
      records.push(...encodeChange(shortened(change)));
      omitted.push(changeKey(change));
    }
    for (const batch of inBatches(records)) acks.push(await log.append(CHANGES, partition, batch));
    return { partition, offsets: joined(acks), ...(omitted.length > 0 && { omitted }) };
  };
}
