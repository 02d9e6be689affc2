import type { Signer } from './signer';

/**
 * When something was signed, and the signature itself, which distinguishes a repetition from
 * another record of the same moment.
 */
export interface Signed {
  /** ms since the epoch; each signer's grows with every record, beyond all it has read. */
  readonly at: number;
  readonly signature: string;
}

/**
 * Who wrote a record of a topic that is signed. `proven`: by a key that is trusted. `unsigned`: it
 * has no signature, or no trusted keys are configured here, and none is required.
 * `refused`: no trusted signer wrote it as it is, where it is; it counts for nothing.
 */
export type Origin =
  | ({ readonly is: 'proven'; readonly by: Signer } & Signed)
  | { readonly is: 'unsigned' }
  | { readonly is: 'refused'; readonly reason: RefusedFor; readonly why: string };

/** Why a record is refused, for metrics: bounded in number. */
export type RefusedFor =
  | 'unsigned'
  | 'malformed'
  | 'unknown-key'
  | 'key-expired'
  | 'wrong-signature'
  | 'clock'
  | 'role'
  | 'replayed'
  | 'other-cluster';
