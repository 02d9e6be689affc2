import { Failure } from '../errors';
import { batchBytes, recordBytes } from './batch-bytes';
import type { NewRecord, TopicSpec } from './log';

/**
 * As Kafka 4's `message.timestamp.after.max.ms`: a record from the far future would stop compaction
 * for that long.
 */
const MAX_AHEAD_MS = 3_600_000;

const refused = (topic: string, what: string): Failure =>
  new Failure('log-record-refused', `${what} Nothing of the batch was appended to ${topic}.`);
const nameOf = ({ key }: NewRecord): string =>
  `The record with key ${JSON.stringify(key.slice(0, 200))}`;

/**
 * What the batch weighs, in bytes of `batchBytes`. Throws Failure `log-record-refused`, naming the
 * record, when it is more than the topic takes or a time is none or too far ahead: the same in
 * every adapter, so that no log holds what another would not take.
 */
export function weighBatch(
  { name, maxMessageBytes }: Pick<TopicSpec, 'name' | 'maxMessageBytes'>,
  records: readonly NewRecord[],
  now: number,
): number {
  if (records.length === 0) throw new RangeError('append needs at least one record');
  for (const record of records) {
    const { timestamp } = record;
    if (!Number.isSafeInteger(timestamp) || timestamp < 0)
      throw refused(
        name,
        `${nameOf(record)} has the timestamp ${timestamp}, which is not a time in ms: correct the producer.`,
      );
    if (timestamp > now + MAX_AHEAD_MS)
      throw refused(
        name,
        `${nameOf(record)} is dated more than an hour ahead (${new Date(timestamp).toISOString()}): correct the clock of its producer.`,
      );
  }
  const bytes = batchBytes(records);
  if (bytes <= maxMessageBytes) return bytes;
  const largest = records.reduce((most, it) => (recordBytes(it) > recordBytes(most) ? it : most));
  const alone = batchBytes([largest]);
  if (alone > maxMessageBytes)
    throw refused(
      name,
      `${nameOf(largest)} weighs ${alone} bytes, and the topic takes ${maxMessageBytes}: send less, or dead-letter it.`,
    );
  throw refused(
    name,
    `${records.length} records weigh ${bytes} bytes together, and the topic takes ${maxMessageBytes} at once: cut them with inBatches.`,
  );
}
