import { canonicalJson } from '@ovn-steward/shared/canonical-json';
import { changeName } from '../changes/change-name';
import { clusterOfFinding } from '../findings/finding-codec';
import { Failure } from '@ovn-steward/shared/errors';
import type { DeadLetter } from './dead-letter';
import { batchBytes } from '@ovn-steward/shared/log/batch-bytes';
import type { AppendAck, Log, LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, DEAD_LETTER, FINDINGS, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { REPLAY_OF } from '../record/replay-of';
import { encodeReplayed } from './dead-letter-codec';

/** A letter, and the partition of the dead-letter topic it lies in. */
interface StoredLetter {
  readonly letter: DeadLetter;
  readonly partition: number;
}

/**
 * Appends what a letter kept (key, bytes, headers, and the header `replay-of` with the letter's id)
 * to the topic and partition it came from, and records in the dead-letter topic that this was done.
 * A crash in between may lead to a second replay, which our readers treat as a repetition. Check
 * first whether something newer has the same key (`newerRecords`): on a compacted topic the past
 * would replace it. A letter is not trusted: otherwise a writer of letters could use us to write
 * where it may not. Its original must still exist.
 * @throws Failure `log-record-refused` for a letter that cannot be replayed, saying why, and
 * whatever `Log.read` and `Log.append` throw.
 */
export async function replayDeadLetter(
  log: Log,
  { letter, partition }: StoredLetter,
  now: Date,
): Promise<AppendAck> {
  const refusal = replayRefusal(letter) ?? (await notTheOriginal(log, letter));
  if (refusal !== undefined)
    throw new Failure(
      'log-record-refused',
      `The dead letter ${letter.id} cannot be replayed: ${refusal}.`,
    );
  const ack = await log.append(letter.topic, letter.partition, [originalOf(letter, now)]);
  await log.append(DEAD_LETTER, partition, [encodeReplayed(letter, now)]);
  return ack;
}

/**
 * Why what a letter keeps is not the record it names, as the log has that; undefined when it is.
 * Throws as `Log.read` does.
 */
export async function notTheOriginal(
  log: Pick<Log, 'read'>,
  { topic, partition, offset, key, value, headers }: DeadLetter,
): Promise<string | undefined> {
  if (offset === null) return NEVER_THERE;
  const record = await recordAt(log, topic, partition, BigInt(offset));
  if (record?.offset !== BigInt(offset))
    return `${topic}/${partition} has no record at offset ${offset} any more`;
  const same =
    record.key === key &&
    (record.value?.toString('base64') ?? null) === value &&
    canonicalJson(record.headers) === canonicalJson(headers);
  return same
    ? undefined
    : `the record at ${topic}/${partition}/${offset} is another: the letter was not written by a service of ours`;
}

const originalOf = ({ id, key, value, headers }: DeadLetter, now: Date): NewRecord => ({
  key,
  value: value === null ? null : Buffer.from(value, 'base64'),
  headers: { ...headers, [REPLAY_OF]: id },
  timestamp: now.getTime(),
});

const NEVER_THERE = 'it was never on its topic; whoever could not publish it publishes it again';

async function recordAt(
  log: Pick<Log, 'read'>,
  topic: string,
  partition: number,
  offset: bigint,
): Promise<LogRecord | undefined> {
  try {
    return (await log.read(topic, partition, offset, 1)).records[0];
  } catch (error) {
    if (error instanceof Failure && error.code === 'log-position-lost') return undefined;
    throw error;
  }
}

/**
 * Not decisions and actions: a person sends a decision again, and an executor records again what it
 * does.
 */
const REPLAYED: ReadonlySet<string> = new Set([CHANGES, FINDINGS]);

/**
 * Why a letter can never be replayed by this version, for a sentence; undefined when nothing in the
 * letter forbids it.
 */
export function replayRefusal(letter: DeadLetter): string | undefined {
  const { topic, partition, truncated, offset, id } = letter;
  const spec = TOPICS.find(({ name }) => name === topic);
  if (!spec || topic === DEAD_LETTER || partition >= spec.partitions)
    return `${topic}/${partition} is no place that this version replays to`;
  if (!REPLAYED.has(topic))
    return `nothing is ever replayed to ${topic}: whoever decided or acted writes it again`;
  if (truncated) return 'its end was cut off when it was set aside';
  const bytes = batchBytes([originalOf(letter, new Date(0))]);
  if (bytes > spec.maxMessageBytes)
    return `it weighs ${bytes} bytes, and ${topic} takes ${spec.maxMessageBytes}`;
  if (offset === null) return NEVER_THERE;
  if (!/^\d{1,18}$/.test(offset) || id !== `${topic}/${partition}/${offset}`)
    return `its id is not ${topic}/${partition}/${offset}, where it says it was read`;
  return misplaced(letter);
}

/** Why its readers would not take it from that place, whatever it says. */
function misplaced({ topic, partition, key, value }: DeadLetter): string | undefined {
  const cluster =
    topic === CHANGES
      ? changeName(key)?.cluster
      : clusterOfFinding({ key, value: value === null ? null : Buffer.from(value, 'base64') });
  if (cluster === undefined)
    return `its key is not one of ${topic}, and no reader uses any other key`;
  const own = partitionOf(cluster, PARTITIONS);
  return own === partition
    ? undefined
    : `records of cluster ${cluster} belong to partition ${own} of ${topic}, not ${partition}`;
}
