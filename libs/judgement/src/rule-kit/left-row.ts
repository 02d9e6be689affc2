import { compareValues } from '@ovn-steward/shared/compare';
import { rowDeletion } from '@ovn-steward/contracts/actions/row-deletion';
import type { Fact } from '@ovn-steward/contracts/findings/finding';
import type { Entity, Kind } from '../world/entity';
import { describeEntity } from '../kube-ovn/deletion';
import { referenceTo } from '../world/entity';
import type { ProvenRemedy } from './stuck-deletion';
import type { View } from './view';
import { unchanged } from './facts';

/**
 * Tables whose rows name or use rows of the others: these go first, in this order. The ranks of
 * their actions are the same order; a test holds it.
 */
export const LEAVES_FIRST: readonly Kind[] = [
  'Logical_Router_Policy',
  'Logical_Router_Static_Route',
  'BFD',
  'Port_Group',
  'Address_Set',
];
const positionOf = ({ kind }: { readonly kind: Kind }): number =>
  LEAVES_FIRST.includes(kind) ? LEAVES_FIRST.indexOf(kind) : LEAVES_FIRST.length;

/**
 * The remedy where the controller that would remove these rows cannot: the first of them that is
 * proven Kube-OVN's and that is not in use. One at a time, leaves first: what is left is judged
 * again when it is deleted.
 * @param proof why nothing else will.
 * @param why the same for a person.
 */
export function removingLeft<K extends Kind>(
  rows: readonly Entity<K>[],
  view: View<never>,
  proof: readonly Fact[],
  why: string,
): ProvenRemedy | undefined {
  const sorted = [...rows].sort(
    (a, b) => compareValues(positionOf(a), positionOf(b)) || compareValues(a.uid, b.uid),
  ) as unknown as readonly Entity[];
  const row = sorted.find(
    (it) =>
      (it.object as { up?: boolean }).up !== true && view.ownership(it).verdict === 'candidate',
  );
  if (!row) return undefined;
  return {
    proof: [...proof, unchanged(row)],
    remedy: {
      action: rowDeletion(row.kind),
      target: referenceTo(row),
      advice: `remove ${describeEntity(row)}, since ${why}`,
    },
  };
}
