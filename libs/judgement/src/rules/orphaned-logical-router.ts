import { subnetsByVpc } from '../relations/subnets-by-vpc';
import { NETWORK_KINDS, orphanedNetwork } from '../rule-kit/orphaned-network';
import { unclaimed } from '../rule-kit/facts';
import { defineRule } from '../rule-kit/rule';

/**
 * A router whose Vpc is deleted, in a cluster from which Kube-OVN was removed (kube-ovn.md §7.4).
 * Where a controller runs, the router is the controller's to remove (§4.4).
 */
export default defineRule({
  id: 'orphaned-logical-router',
  class: 'garbage',
  severity: 'warning',
  subject: 'Logical_Router',
  reads: ['Vpc', 'Subnet', ...NETWORK_KINDS],
  about:
    "A router of Kube-OVN's whose Vpc no longer exists, in a cluster that has no Kube-OVN controller any more. No Subnet names that Vpc.",
  remedy: 'delete-logical-router',

  check: (router, view) =>
    orphanedNetwork(
      router,
      {
        of: 'Vpc',
        exists: () => view.presence('Vpc', router.name) === 'present',
        title: 'router',
        action: 'delete-logical-router',
        with: 'its ports, routes and policies',
        use() {
          const [subnet] = view.related(subnetsByVpc, router.name, 1);
          return subnet && `Subnet ${subnet.name} names it`;
        },
        unused: [unclaimed('Subnet', 'spec.vpc', router.name)],
      },
      view,
    ),
});
