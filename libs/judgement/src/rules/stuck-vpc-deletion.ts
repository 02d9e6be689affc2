import { subnetsByVpc } from '../relations/subnets-by-vpc';
import { CONTROLLER_KINDS, controllerIsGone } from '../rule-kit/controller';
import { isBeingDeleted, held } from '../kube-ovn/deletion';
import type { Entity } from '../world/entity';
import { withoutFinalizer } from '../rule-kit/last-finalizer';
import { stuckDeletion, type ProvenRemedy } from '../rule-kit/stuck-deletion';
import type { View } from '../rule-kit/view';
import { removingWhole } from '../rule-kit/whole-row';
import { defineRule } from '../rule-kit/rule';
import { absentRow, unclaimed } from '../rule-kit/facts';

const ENOUGH = 50;
/**
 * Of a Vpc that stands for a router of somebody else's: to finish its deletion is to remove that
 * router (kube-ovn.md §7.3).
 */
const MIRROR = 'ovn.kubernetes.io/vpc_external';

/**
 * A VPC that is being deleted and waits for its subnets, but not for those that are being deleted
 * themselves (kube-ovn.md §7.3).
 */
export default defineRule({
  id: 'stuck-vpc-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'Vpc',
  reads: ['Subnet', 'Logical_Router', 'Logical_Switch'],
  consults: [...CONTROLLER_KINDS],
  about: 'A VPC that does not finish its deletion. It disappears when no subnet names it.',
  remedy: 'strip-finalizer',

  check(vpc, view) {
    const subnets = view.related(subnetsByVpc, vpc.name, ENOUGH);
    const staying = subnets.filter((it) => !isBeingDeleted(it));
    const blockers =
      staying.length > 0
        ? held('subnets still name it', staying)
        : held('subnets that name it are not deleted yet', subnets);
    return stuckDeletion(
      vpc,
      view,
      () => blockers,
      () =>
        staying.length > 0 || vpc.object.metadata.labels?.[MIRROR] === 'true'
          ? undefined
          : remedyOf(vpc, view),
    );
  },
});

/** The router without a controller, once no switch of its subnets is there; then the finalizer. */
function remedyOf(
  vpc: Entity<'Vpc'>,
  view: View<'Subnet' | 'Logical_Router' | 'Logical_Switch' | (typeof CONTROLLER_KINDS)[number]>,
): ProvenRemedy | undefined {
  // All of them, not those few that are named.
  const subnets = view.related(subnetsByVpc, vpc.name);
  const router = view.get('Logical_Router', vpc.name);
  if (router) {
    const isUsed = subnets.some(
      (it) => !isBeingDeleted(it) || view.presence('Logical_Switch', it.name) !== 'absent',
    );
    return controllerIsGone(view) && !isUsed
      ? removingWhole(
          router,
          view,
          [],
          `Vpc ${vpc.name} is being deleted, no switch of its subnets is left, and no Kube-OVN controller is left to do it`,
        )
      : undefined;
  }
  if (subnets.length > 0) return undefined;
  return withoutFinalizer(
    vpc,
    view,
    [absentRow('Logical_Router', vpc.name), unclaimed('Subnet', 'spec.vpc', vpc.name)],
    'no subnet names it, and its router is gone',
  );
}
