import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { type ClusterIdentity, sameIdentity } from '@ovn-steward/shared/cluster-identity';

/**
 * The identity of the living systems that all of the records share, for a decision about them.
 * Undefined where they differ: then each is checked against its own.
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
