import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { ABANDONED_FINALIZERS, type Deletable } from '../kube-ovn/deletion';
import { KUBE_OVN_FINALIZERS } from '../kube-ovn/finalizers';
import { referenceTo } from '../world/entity';
import type { Way } from './stuck-deletion';

/**
 * The last step of a deletion: taking Kube-OVN's finalizer away. Offered only by a rule that has proven that nothing of the object is left in OVN.
 * @param proof of that. @param after what a person must know of it, as the end of a sentence.
 * @param restart what a restart of the controller does, as seen on running ones (kube-ovn.md rows 43 and 57).
 */
export function withoutFinalizer(
  entity: Deletable,
  proof: readonly Fact[],
  after: string,
  restart: 'finishes' | 'fails' = 'finishes',
): Way | undefined {
  const finalizer = [...KUBE_OVN_FINALIZERS].find((it) =>
    entity.object.metadata.finalizers?.includes(it),
  );
  if (finalizer === undefined) return undefined;
  const first =
    restart === 'fails' || ABANDONED_FINALIZERS.has(finalizer)
      ? 'a restart of the Kube-OVN controller does not finish the deletion;'
      : 'restart the Kube-OVN controller, which then finishes the deletion; only if it does not,';
  return {
    proof,
    remedy: {
      action: 'strip-finalizer',
      target: referenceTo(entity, { column: 'metadata.finalizers', key: finalizer }),
      advice: `${first} remove the finalizer ${finalizer}: ${after}`,
    },
  };
}

/** What is to be known of every object that has an address: only the controller's memory says so until it starts again (kube-ovn.md §6.2). */
export const STAYS_TAKEN =
  "the address stays taken in the controller's memory until its next start";
