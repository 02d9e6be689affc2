import type { IP } from './kube-ovn-objects';

/**
 * Who kept an address: the set or machine that wants it, or nobody, of a reservation that a person
 * made.
 */
export interface Keeper {
  readonly kind: 'StatefulSet' | 'VirtualMachine';
  /** `namespace/name`. */
  readonly key: string;
  readonly uid: string;
}

/**
 * An IP object as it was when it was deleted, though the address was kept for somebody. Its uid and
 * name are those of the object.
 */
export interface FormerAddress {
  readonly metadata: IP['metadata'];
  readonly spec: NonNullable<IP['spec']>;
  /** Its deletionTimestamp, RFC 3339. */
  readonly deletedAt: string;
  /** Undefined of a reservation without an owner. */
  readonly keeper?: Keeper;
  /**
   * Of a reservation without an owner: since when the controller led that was starting then, RFC
   * 3339.
   */
  readonly ledSince?: string;
}
