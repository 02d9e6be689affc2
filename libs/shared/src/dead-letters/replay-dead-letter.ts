import { Failure } from '../errors';
import type { DeadLetter } from '../events/dead-letter';
import { batchBytes } from '../log/batch-bytes';
import type { AppendAck, Log, NewRecord } from '../log/log';
import { DEAD_LETTER, TOPICS } from '../log/topics';
import { replayedNote } from './read-dead-letters';

/** The header of a replayed record that names the letter it was kept in. */
export const REPLAY_OF = 'replay-of';

/** A letter, and the partition of the dead-letter topic it lies in. */
interface StoredLetter {
  readonly letter: DeadLetter;
  readonly partition: number;
}

/**
 * Appends what a letter kept (key, bytes, headers, and the header `replay-of` with the letter's id) to the topic and partition it came
 * from, and notes in the dead-letter topic that this was done. A crash in between may lead to a second replay, which readers of ours
 * take for what it is: nothing newer. Whether something newer has the same key must be asked first (`newerRecords`): on a compacted
 * topic the past would replace it.
 * Throws Failure `log-record-refused` for a letter that cannot be replayed, saying why, and whatever `Log.append` throws.
 */
export async function replayDeadLetter(
  log: Log,
  { letter, partition }: StoredLetter,
  now: Date,
): Promise<AppendAck> {
  const refusal = replayRefusal(letter);
  if (refusal !== undefined)
    throw new Failure(
      'log-record-refused',
      `The dead letter ${letter.id} cannot be replayed: ${refusal}.`,
    );
  const ack = await log.append(letter.topic, letter.partition, [originalOf(letter, now)]);
  await log.append(DEAD_LETTER, partition, [replayedNote(letter, now)]);
  return ack;
}

const originalOf = ({ id, key, value, headers }: DeadLetter, now: Date): NewRecord => ({
  key,
  value: value === null ? null : Buffer.from(value, 'base64'),
  headers: { ...headers, [REPLAY_OF]: id },
  timestamp: now.getTime(),
});

/** Why a letter can never be replayed by this version, for a sentence; undefined when it can. */
export function replayRefusal(letter: DeadLetter): string | undefined {
  const { topic, partition, truncated } = letter;
  const spec = TOPICS.find(({ name }) => name === topic);
  if (!spec || topic === DEAD_LETTER || partition >= spec.partitions)
    return `${topic}/${partition} is no place that this version replays to`;
  if (truncated) return 'its end was cut off when it was set aside';
  const bytes = batchBytes([originalOf(letter, new Date(0))]);
  return bytes > spec.maxMessageBytes
    ? `it weighs ${bytes} bytes, and ${topic} takes ${spec.maxMessageBytes}`
    : undefined;
}
