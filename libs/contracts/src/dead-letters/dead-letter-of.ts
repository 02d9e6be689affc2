import type { DeadLetter } from './dead-letter';
import { encodeLetter } from './dead-letter-codec';
import { batchBytes } from '@ovn-steward/shared/log/batch-bytes';
import type { LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { DEAD_LETTER, TOPICS } from '@ovn-steward/shared/log/topics';

/** What even a topic for large records takes of a dead letter. */
const MOST_BYTES = TOPICS.find(({ name }) => name === DEAD_LETTER)!.maxMessageBytes;
/** Characters: enough to recognise a key by, and a sentence. */
const KEY_KEPT = 1024;
const WHY_KEPT = 1000;

export interface SetAside {
  /** Where it was read, or was to be written. */
  readonly topic: string;
  readonly partition: number;
  /** What was read; or what could not be published, with the id of its change or event. */
  readonly record: LogRecord | (NewRecord & { readonly id: string });
  /** The service that sets it aside. */
  readonly by: string;
  readonly at: Date;
  /** One sentence for a person. */
  readonly why: string;
}

/**
 * The record for `steward.dead-letter.v1` that keeps one aside: under the original's key, with the
 * letter's id as header. The same failure gives the same id. What does not fit loses the end of its
 * value (and its headers and the end of its key, should those alone be too large), says so, and
 * cannot be replayed.
 */
export function deadLetterOf({ topic, partition, record, by, at, why }: SetAside): NewRecord {
  const offset = 'offset' in record ? String(record.offset) : null;
  const bytes = typeof record.value === 'string' ? Buffer.from(record.value) : record.value;
  const letter: DeadLetter = {
    version: 1,
    id: `${topic}/${partition}/${'offset' in record ? record.offset : record.id}`,
    topic,
    partition,
    offset,
    key: record.key,
    headers: { ...record.headers },
    value: null,
    truncated: false,
    by,
    at: at.toISOString(),
    why: why.slice(0, WHY_KEPT),
  };
  const whole = encodeLetter(
    { ...letter, value: bytes && bytes.subarray(0, MOST_BYTES).toString('base64') },
    at,
  );
  return batchBytes([whole]) <= MOST_BYTES ? whole : cut(letter, bytes, at);
}

function cut(letter: DeadLetter, bytes: Buffer | null, at: Date): NewRecord {
  const bare: DeadLetter = { ...letter, value: bytes && '', truncated: true };
  const room = MOST_BYTES - batchBytes([encodeLetter(bare, at)]);
  if (room < 0)
    return cut({ ...letter, key: letter.key.slice(0, KEY_KEPT), headers: {} }, bytes, at);
  return encodeLetter(
    { ...bare, value: bytes && bytes.subarray(0, Math.floor(room / 4) * 3).toString('base64') },
    at,
  );
}
