import { portsUp } from '../relations/ports-up';
import { subnetsByVpc } from '../relations/subnets-by-vpc';
import { CONTROLLER_KINDS, controllerGone, controllerIsGone } from '../rule-kit/controller';
import { referenceTo } from '../world/entity';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { absent, unchanged, value } from '../rule-kit/facts';

/**
 * A router whose Vpc is deleted, in a cluster from which Kube-OVN was removed (kube-ovn.md §7.4).
 * Where a controller runs, the router is the controller's to remove (§4.4).
 */
export default defineRule({
  id: 'orphaned-logical-router',
  class: 'garbage',
  severity: 'warning',
  subject: 'Logical_Router',
  reads: ['Vpc', 'Subnet', 'Logical_Switch_Port', ...CONTROLLER_KINDS],
  about:
    "A router of Kube-OVN's whose Vpc no longer exists, in a cluster that has no Kube-OVN controller any more. No Subnet names that Vpc.",
  remedy: 'delete-logical-router',

  check(router, view) {
    if (
      router.name === '' ||
      view.presence('Vpc', router.name) === 'present' ||
      !controllerIsGone(view)
    )
      return healthy;
    const owner = view.ownership(router);
    if (owner.verdict !== 'candidate') return healthy;
    if (view.has(portsUp, 'any'))
      return unknown(
        `Vpc ${router.name} no longer exists and no controller runs, yet chassis hold ports of Kube-OVN's up`,
      );
    const [subnet] = view.related(subnetsByVpc, router.name, 1);
    if (subnet)
      return unknown(`Vpc ${router.name} no longer exists, yet Subnet ${subnet.name} names it`);
    return violation({
      says: `router ${router.name} is of Vpc ${router.name}, which no longer exists, and no Kube-OVN controller is left to remove it`,
      owner,
      proof: [
        absent('Vpc', router.name),
        ...controllerGone,
        value(router, 'external_ids', JSON.stringify(router.object.external_ids)),
        unchanged(router),
      ],
      remedy: {
        action: 'delete-logical-router',
        target: referenceTo(router),
        advice: `remove router ${router.name} with its ports, routes and policies`,
      },
    });
  },
});
