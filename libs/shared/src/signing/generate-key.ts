import { generateKeyPairSync } from 'node:crypto';
import { keyIdOf } from './key-id';
import type { TrustedKeyFile } from './trusted-key';

/** A new pair of keys. */
export interface GeneratedKey {
  /** PEM (PKCS #8), secret: for `signing.keyFile` of the signer. */
  readonly privateKey: string;
  /** For the folder `signing.trustedKeys` of the verifier. */
  readonly trusted: TrustedKeyFile;
}

/** Makes a pair of Ed25519 keys for a person or an executor in a role. */
export function generateKey(
  whose: Omit<TrustedKeyFile, 'version' | 'id' | 'publicKey'>,
): GeneratedKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    trusted: {
      version: 1,
      id: keyIdOf(publicKey),
      ...whose,
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    },
  };
}
