import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { type ClusterIdentity, sameIdentity } from '@ovn-steward/shared/cluster-identity';

/**
 * Of which living systems these records are, for a decision about them: of all of one pair, else it
 * is not said, and each is held against its own.
 */
export function commonIdentity(
  records: readonly Pick<ActionRecord, 'identity'>[],
): { readonly identity: ClusterIdentity } | undefined {
  const first = records[0]?.identity;
  return first !== undefined &&
    records.every(({ identity }) => identity !== undefined && sameIdentity(identity, first))
    ? { identity: first }
    : undefined;
}
