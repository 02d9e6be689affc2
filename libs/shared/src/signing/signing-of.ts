import { Failure } from '../errors';
import type { Settings } from '../settings/settings';
import { followTrustedKeys } from './follow-trusted-keys';
import type { SignedLogOptions } from './signed-log';
import type { Signer } from '../log/signer';
import { readSigningKey } from './signing-key';

/**
 * What signs and verifies, by the settings.
 * @param onTrouble called while the folder of trusted keys cannot be read again.
 * @throws Failure `config-invalid`.
 */
export function signingOf(
  { keyFile, trustedKeys, required }: Settings['signing'],
  onTrouble: (message: string) => void,
): SignedLogOptions {
  return {
    key: keyFile === undefined ? undefined : readSigningKey(keyFile),
    trusted: trustedKeys === undefined ? undefined : followTrustedKeys(trustedKeys, onTrouble),
    required,
  };
}

const HOW =
  'Make keys with steward keys generate (docs/signing.md). Only where everybody who may write to the topics may decide what is removed, set signing.required to false instead.';

/**
 * Who signs with the key, by the trusted keys; undefined without a key, and for one that is not
 * trusted.
 */
export const signerOf = ({
  key,
  trusted,
}: Pick<SignedLogOptions, 'key' | 'trusted'>): Signer | undefined =>
  key && trusted?.().get(key.id)?.signer;

/**
 * An executor that acts on what is published on Kafka must know whom to trust, and must be trusted
 * itself.
 * @throws Failure `config-invalid`, with the command that makes keys.
 */
export function requireExecutorKeys(
  { signing }: Pick<Settings, 'signing'>,
  { key, trusted, required }: SignedLogOptions,
): void {
  const missing = [
    ...(key === undefined ? ['signing.keyFile'] : []),
    ...(trusted === undefined ? ['signing.trustedKeys'] : []),
  ];
  if (required && missing.length > 0)
    throw new Failure(
      'config-invalid',
      `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set: an executor on Kafka does nothing because of an unsigned record. ${HOW}`,
    );
  if (key === undefined || trusted === undefined) return;
  const mine = signerOf({ key, trusted });
  if (mine?.role !== 'executor')
    throw new Failure(
      'config-invalid',
      `signing.trustedKeys: ${String(signing.trustedKeys)} ${mine === undefined ? `does not hold the key ${key.id} of signing.keyFile` : `has the key ${key.id} of signing.keyFile as ${mine.role}`}: this executor would not believe itself. Put its file there, with role executor.`,
    );
}

/**
 * The key that vouches for decisions over HTTP must be trusted.
 * @throws Failure `config-invalid`.
 */
export function requireDecisionsKey({
  key,
  trusted,
}: Pick<SignedLogOptions, 'key' | 'trusted'>): void {
  const role = signerOf({ key, trusted })?.role;
  if (trusted !== undefined && role !== 'approver')
    throw new Failure(
      'config-invalid',
      `http.decisions.keyFile: signing.trustedKeys ${role === undefined ? `does not hold its key ${key?.id}` : `has its key ${key?.id} as ${role}`}, so what it signs would be ignored. Put its file there, with role approver.`,
    );
}

/**
 * A decision on Kafka must be signed where signatures are required.
 * @throws Failure `config-invalid`, with the command that makes keys.
 */
export function requireApproverKey({ key, required }: SignedLogOptions): void {
  if (required && key === undefined)
    throw new Failure(
      'config-invalid',
      `signing.keyFile is not set: executors on Kafka act only on signed decisions. ${HOW}`,
    );
}
