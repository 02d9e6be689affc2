import type { DeadLetter } from './dead-letter';
import { grouped } from '@ovn-steward/shared/grouped';
import type { Log } from '@ovn-steward/shared/log/log';
import { REPLAY_OF } from '../record/replay-of';

const READ_RECORDS = 1000;

/** What names a letter and the place of its original. */
export type LetterPlace = Pick<DeadLetter, 'id' | 'topic' | 'partition' | 'offset' | 'key'>;

export interface NewerRecord {
  /** In the letter's topic and partition. */
  readonly offset: bigint;
  /** Whether that is the letter itself, replayed. */
  readonly replay: boolean;
}

/**
 * By the ids of letters: the last record in the original's partition that was appended after it
 * under the same key, where there is one. Reads every partition concerned once, from the oldest
 * original on: seconds per million records. Throws as `Log.read` does.
 */
export async function newerRecords(
  log: Log,
  letters: readonly LetterPlace[],
): Promise<ReadonlyMap<string, NewerRecord>> {
  const groups = grouped(letters, ({ topic, partition }) => `${topic}/${partition}`);
  const newer = new Map<string, NewerRecord>();
  for (const group of groups.values()) await searchIn(log, group, newer);
  return newer;
}

/** What was never in the log is older than all of it. */
const after = ({ offset }: LetterPlace): bigint => (offset === null ? 0n : BigInt(offset) + 1n);

async function searchIn(
  log: Log,
  letters: readonly LetterPlace[],
  newer: Map<string, NewerRecord>,
): Promise<void> {
  const { topic, partition } = letters[0]!;
  const byKey = grouped(letters, (it) => it.key);
  const { low, high } = await log.watermarks(topic, partition);
  let from = letters.map(after).reduce((least, it) => (it < least ? it : least));
  if (from < low) from = low;
  while (from < high) {
    const batch = await log.read(topic, partition, from, READ_RECORDS);
    for (const { key, offset, headers } of batch.records) {
      for (const letterPlace of byKey.get(key) ?? [])
        if (offset >= after(letterPlace))
          newer.set(letterPlace.id, {
            offset,
            replay: Object.hasOwn(headers, REPLAY_OF) && headers[REPLAY_OF] === letterPlace.id,
          });
    }
    if (batch.next <= from) break;
    from = batch.next;
  }
}
