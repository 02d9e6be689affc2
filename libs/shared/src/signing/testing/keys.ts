import { createPrivateKey } from 'node:crypto';
import { generateKey } from '../generate-key';
import type { SigningKey } from '../signing-key';
import { type TrustedKey, type TrustedKeyFile, trustedKeyOf } from '../trusted-key';
import type { TrustedKeys } from '../trusted-keys';

/** Somebody of a test, with both halves of a key. */
export interface KeyHolder {
  readonly key: SigningKey;
  readonly trusted: TrustedKey;
  readonly file: TrustedKeyFile;
  readonly pem: string;
}

/** Somebody who may sign. */
export function keyHolder(
  whose: Omit<TrustedKeyFile, 'version' | 'id' | 'publicKey'> = { role: 'approver', name: 'anna' },
): KeyHolder {
  const made = generateKey(whose);
  const trusted = trustedKeyOf(JSON.stringify(made.trusted));
  if ('wrong' in trusted) throw new Error(trusted.wrong);
  return {
    key: { id: made.trusted.id, privateKey: createPrivateKey(made.privateKey) },
    trusted,
    file: made.trusted,
    pem: made.privateKey,
  };
}

/** The keys of these people, and of nobody else. */
export const trusting = (...holders: readonly KeyHolder[]): TrustedKeys =>
  new Map(holders.map((it) => [it.key.id, it.trusted]));
