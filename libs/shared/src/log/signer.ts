import { z } from 'zod';

/**
 * What a key may sign. `executor`: what is done (actions), and what an executor publishes on the
 * control topic. `approver`: what people decide.
 */
export const Role = z.enum(['executor', 'approver']);
export type Role = z.infer<typeof Role>;

/** Who is proven to have written a record. */
export interface Signer {
  readonly keyId: string;
  readonly role: Role;
  /**
   * The name bound to the key in the verifier's trusted keys, never one that the record gives
   * itself.
   */
  readonly name: string;
  /** The clusters it may write about; all where undefined. */
  readonly clusters?: readonly string[] | undefined;
  /** The types of decisions it may publish (`hold`, `approve` …); all where undefined. */
  readonly decisions?: readonly string[] | undefined;
}
