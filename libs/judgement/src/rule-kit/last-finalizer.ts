import type { Fact } from '@ovn-steward/contracts/findings/finding';
import type { Deletable } from '../kube-ovn/deletion';
import { KUBE_OVN_FINALIZERS } from '../kube-ovn/finalizers';
import {
  passedOverByStart,
  type DeletionTrigger,
  deletionTrigger,
} from '../kube-ovn/deletion-trigger';
import { referenceTo } from '../world/entity';
import type { ControllerKind } from './controller';
import { controllerRelease } from './controller-release';
import { kubectlChange } from './kubectl';
import type { ProvenRemedy } from './stuck-deletion';
import type { View } from './view';

/**
 * The last step of a deletion: taking Kube-OVN's finalizer away. Offered only by a rule that has
 * proven that nothing of the object is left in OVN.
 * @param proof of that.
 * @param after what a person must know of it, as the end of a sentence.
 * @param isTaken whether a running controller takes the finalizer off once it handles the object
 *   anew, as seen on v1.15.24 and v1.17-dev (kube-ovn.md §7.3, rows 43 and 57).
 */
export function withoutFinalizer(
  entity: Deletable,
  view: View<ControllerKind>,
  proof: readonly Fact[],
  after: string,
  isTaken = true,
): ProvenRemedy | undefined {
  const finalizer = [...KUBE_OVN_FINALIZERS].find((it) =>
    entity.object.metadata.finalizers?.includes(it),
  );
  if (finalizer === undefined) return undefined;
  const release = controllerRelease(view);
  const by = isTaken ? deletionTrigger(entity.kind, finalizer, release) : 'never';
  const first =
    by === 'never'
      ? 'a restart of the Kube-OVN controller does not finish the deletion;'
      : `${handleAgain(entity, by, passedOverByStart(entity.kind, release))}, which then finishes the deletion; only if it does not,`;
  return {
    proof,
    remedy: {
      action: 'strip-finalizer',
      target: referenceTo(entity, { column: 'metadata.finalizers', key: finalizer }),
      advice: `${first} remove the finalizer ${finalizer}: ${after}`,
    },
  };
}

/** What has the controller handle an object that is being deleted once more. */
function handleAgain(
  entity: Deletable,
  by: Exclude<DeletionTrigger, 'never'>,
  passedOver: string | undefined,
): string {
  if (by === 'start') return 'restart the Kube-OVN controller';
  const run = kubectlChange(entity);
  if (by === 'depends on the release')
    return `restart the Kube-OVN controller (before v1.13 change the object while it runs${run === undefined ? '' : `: ${run}`})`;
  const steps = [run, passedOver].filter((it) => it !== undefined).join('; ');
  return `change the object while the Kube-OVN controller runs${steps === '' ? '' : ` (${steps})`}`;
}

/**
 * What is to be known of every object that has an address: only the controller's memory says so
 * until it starts again (kube-ovn.md §6.2).
 */
export const STAYS_TAKEN =
  "the address stays taken in the controller's memory until its next start";
