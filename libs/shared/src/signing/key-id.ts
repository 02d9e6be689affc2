import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** Characters of a key id: 128 bits, in hexadecimal. */
const LENGTH = 32;

/**
 * The name of a key: the beginning of the SHA-256 of its public half (SubjectPublicKeyInfo, DER,
 * RFC 8410). So no key can have the name of another, and the private half alone says which it is.
 */
export function keyIdOf(key: KeyObject): string {
  const open = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(open.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, LENGTH);
}
