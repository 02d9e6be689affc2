import type { Fact } from '@ovn-steward/contracts/findings/finding';
import type { Deletable } from '../kube-ovn/deletion';
import { KUBE_OVN_FINALIZERS } from '../kube-ovn/finalizers';
import { referenceTo } from '../world/entity';
import type { Way } from './stuck-deletion';

/**
 * The last step of a deletion: taking Kube-OVN's finalizer away. Offered only by a rule that has proven that nothing of the object is left in OVN.
 * @param proof of that. @param after what a person must know of it, as the end of a sentence.
 */
export function withoutFinalizer(
  entity: Deletable,
  proof: readonly Fact[],
  after: string,
): Way | undefined {
  const finalizer = [...KUBE_OVN_FINALIZERS].find((it) =>
    entity.object.metadata.finalizers?.includes(it),
  );
  if (finalizer === undefined) return undefined;
  return {
    proof,
    remedy: {
      action: 'strip-finalizer',
      target: referenceTo(entity, { column: 'metadata.finalizers', key: finalizer }),
      advice: `restart the Kube-OVN controller, which then finishes the deletion; only if it does not, remove the finalizer ${finalizer}: ${after}`,
    },
  };
}

/** What is to be known of every object that has an address: only the controller's memory says so until it starts again (kube-ovn.md §6.2). */
export const STAYS_TAKEN =
  "the address stays taken in the controller's memory until its next start";
