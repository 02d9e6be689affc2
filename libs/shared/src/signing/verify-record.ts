import { verify } from 'node:crypto';
import type { Headers } from '../log/log';
import type { Origin, RefusedFor } from '../log/origin';
import { readSignature, SIGNATURE_HEADER } from './signature-header';
import { type Placed, signedBytes } from './signed-bytes';
import type { TrustedKeys } from './trusted-keys';

/**
 * So far a signer's clock may be ahead of ours; the log takes no record whose time is further ahead
 * either.
 */
export const MOST_AHEAD_MS = 3_600_000;

export interface VerifyOptions {
  readonly keys: TrustedKeys;
  /** Whether a record without a signature is refused. One with a wrong signature always is. */
  readonly required: boolean;
  /** Our clock, ms since the epoch. */
  readonly now: number;
}

const refused = (reason: RefusedFor, why: string): Origin => ({ is: 'refused', reason, why });

/** Who wrote a record. Never throws. The reader checks whether the signer may say what it says. */
export function verifyRecord(
  record: Placed & { readonly headers?: Headers },
  { keys, required, now }: VerifyOptions,
): Origin {
  const text = record.headers?.[SIGNATURE_HEADER];
  if (text === undefined)
    return required ? refused('unsigned', 'it has no signature') : { is: 'unsigned' };
  const read = readSignature(text);
  if (read === undefined)
    return refused('malformed', `its header ${SIGNATURE_HEADER} is no signature of version 1`);
  const { keyId, at, signature } = read;
  const key = keys.get(keyId);
  if (key === undefined) return refused('unknown-key', `no setting trusts the key ${keyId}`);
  const bytes = signedBytes(record, read);
  if (!verify(null, bytes, key.publicKey, Buffer.from(signature, 'base64')))
    return refused(
      'wrong-signature',
      `its signature by ${key.signer.name} (${keyId}) is not of this record in this place`,
    );
  if (at < key.notBefore || at > key.notAfter)
    return refused(
      'key-expired',
      `the key ${keyId} of ${key.signer.name} may not have signed at ${new Date(at).toISOString()}`,
    );
  if (at > now + MOST_AHEAD_MS)
    return refused(
      'clock',
      `it says to have been signed at ${new Date(at).toISOString()}, more than an hour from now: set the clock of ${key.signer.name}`,
    );
  return { is: 'proven', by: key.signer, at, signature };
}
