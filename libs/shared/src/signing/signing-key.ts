import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Failure } from '../errors';
import { whyUnreadable } from '../file-trouble';
import { keyIdOf } from './key-id';
import { type Placed, signedBytes } from './signed-bytes';
import { signatureText } from './signature-header';

/** The private key a process signs with. */
export interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
}

/**
 * Reads a private Ed25519 key, PEM (PKCS #8).
 * @param setting which names the file.
 * @throws Failure `config-invalid`; its message holds nothing of the file's content.
 */
export function readSigningKey(file: string, setting = 'signing.keyFile'): SigningKey {
  const refuse = (why: string): Failure =>
    new Failure(
      'config-invalid',
      `${setting}: ${file} ${why}. steward keys generate makes a pair of keys.`,
    );
  let pem: Buffer;
  try {
    pem = readFileSync(file);
  } catch (error) {
    throw refuse(`cannot be read: ${whyUnreadable(error)}`);
  }
  return signingKeyOf(pem, refuse);
}

function signingKeyOf(pem: Buffer, refuse: (why: string) => Failure): SigningKey {
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(pem);
  } catch {
    throw refuse('is no private key in PEM without a password');
  }
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw refuse(`holds a key of type ${String(privateKey.asymmetricKeyType)}, not Ed25519`);
  return { id: keyIdOf(privateKey), privateKey };
}

/** The value of the header for a record. @param at when it is signed, ms since the epoch. */
export function signatureFor(record: Placed, key: SigningKey, at: number): string {
  const bytes = signedBytes(record, { keyId: key.id, at });
  return signatureText({
    keyId: key.id,
    at,
    signature: sign(null, bytes, key.privateKey).toString('base64'),
  });
}
