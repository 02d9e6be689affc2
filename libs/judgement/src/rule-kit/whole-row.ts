import { rowDeletion } from '@ovn-steward/contracts/actions/row-deletion';
import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { controllerGone } from './controller';
import { describeEntity } from '../kube-ovn/deletion';
import { type Entity, referenceTo } from '../world/entity';
import type { ProvenRemedy } from './stuck-deletion';
import type { View } from './view';
import { unchanged } from './facts';

/**
 * Whether a switch or router is certain to be Kube-OVN's. What stands for a Subnet or Vpc that
 * still exists is kept by that alone (docs/ownership.md); here its deletion is under way, so
 * everything but that must speak for Kube-OVN.
 */
export function isOwnWhole(
  row: Entity<'Logical_Switch'> | Entity<'Logical_Router'>,
  view: View<never>,
): boolean {
  const { owner, confidence } = view.ownership(row as Entity);
  return owner === 'kube-ovn' && confidence === 3;
}

/**
 * The removal of a switch or router whole, which only a person's word allows, and only where no
 * controller is left that would do it.
 */
export function removingWhole(
  row: Entity<'Logical_Switch'> | Entity<'Logical_Router'>,
  view: View<never>,
  proof: readonly Fact[],
  why: string,
): ProvenRemedy | undefined {
  if (!isOwnWhole(row, view)) return undefined;
  return {
    proof: [...controllerGone, ...proof, unchanged(row)],
    remedy: {
      action: rowDeletion(row.kind),
      target: referenceTo(row),
      advice: `remove ${describeEntity(row)} with all that is only its own, since ${why}`,
    },
  };
}
