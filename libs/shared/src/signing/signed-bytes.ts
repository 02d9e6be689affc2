import type { NewRecord } from '../log/log';
import type { Signature } from './signature-header';

/** Where a record lies, and what it says: all that a signature is about. */
export interface Placed extends Pick<NewRecord, 'key' | 'value'> {
  readonly topic: string;
  readonly partition: number;
}

/**
 * The bytes that are signed: one line of JSON, a line end, the value's bytes. The line names
 * everything else that gives the record its meaning, so that a signature holds for one record in
 * one place: not under another key (which names the cluster, or is made of its name), in another
 * partition or topic, as a tombstone, or with another time.
 */
export function signedBytes(
  { topic, partition, key, value }: Placed,
  { keyId, at }: Omit<Signature, 'signature'>,
): Buffer {
  const head = JSON.stringify([
    'steward-signature-v1',
    keyId,
    at,
    topic,
    partition,
    key,
    value === null ? 'tombstone' : 'value',
  ]);
  return Buffer.concat([
    Buffer.from(`${head}\n`),
    value === null ? Buffer.alloc(0) : Buffer.from(value),
  ]);
}
