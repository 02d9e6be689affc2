import { portsBySwitch } from '../relations/ports-by-switch';
import { NETWORK_KINDS, orphanedNetwork } from '../rule-kit/orphaned-network';
import { defineRule } from '../rule-kit/rule';

/**
 * A switch whose Subnet is deleted, in a cluster from which Kube-OVN was removed: a later chart
 * takes the finalizers of Subnets away after the controller (kube-ovn.md §7.4), and nothing removes
 * the rest. Where a controller runs, the switch is the controller's to remove (§4.3).
 */
export default defineRule({
  id: 'orphaned-logical-switch',
  class: 'garbage',
  severity: 'warning',
  subject: 'Logical_Switch',
  reads: ['Subnet', 'Logical_Router', ...NETWORK_KINDS],
  about:
    "A switch of Kube-OVN's whose Subnet no longer exists, in a cluster that has no Kube-OVN controller any more. No port of it is used.",
  remedy: 'delete-logical-switch',

  check: (network, view) =>
    orphanedNetwork(
      network,
      {
        of: 'Subnet',
        exists: () => view.presence('Subnet', network.name) === 'present',
        title: 'switch',
        action: 'delete-logical-switch',
        with: 'the ends of routers and uplinks in it',
        use: () =>
          view.has(portsBySwitch, network.uid)
            ? 'its switch has ports that may be used'
            : undefined,
      },
      view,
    ),
});
