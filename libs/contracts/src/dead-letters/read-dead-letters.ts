import type { DeadLetter } from './dead-letter';
import { decodeLetter, type DecodedLetter } from './dead-letter-codec';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { DEAD_LETTER, PARTITIONS } from '@ovn-steward/shared/log/topics';

const READ_RECORDS = 100;

/** A record of `steward.dead-letter.v1`, and where it is there. */
export interface StoredRecord {
  readonly partition: number;
  readonly offset: bigint;
  readonly is: DecodedLetter;
}

/**
 * All that lies in the dead-letter topic, one partition after the other, oldest first in each.
 * Throws as `Log.read` does.
 */
export async function* readDeadLetters(log: Log): AsyncGenerator<StoredRecord> {
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    const { high } = await log.watermarks(DEAD_LETTER, partition);
    for (let from = 0n; from < high;) {
      const batch = await log.read(DEAD_LETTER, partition, from, READ_RECORDS);
      for (const record of batch.records)
        yield { partition, offset: record.offset, is: decodeLetter(record) };
      if (batch.next <= from) break;
      from = batch.next;
    }
  }
}

/**
 * The letter that lies there. Throws Failure `log-position-lost` when retention removed it
 * meanwhile, and as `Log.read` does.
 */
export async function letterAt(
  log: Log,
  { partition, offset }: { readonly partition: number; readonly offset: bigint },
): Promise<DeadLetter> {
  const { records } = await log.read(DEAD_LETTER, partition, offset, 1);
  const [record] = records;
  const is = record?.offset === offset ? decodeLetter(record) : undefined;
  if (is && 'letter' in is) return is.letter;
  throw new Failure(
    'log-position-lost',
    `The dead letter at ${DEAD_LETTER}/${partition}/${offset} is no longer there: list them again.`,
  );
}
