import { portsBySwitch } from '../relations/ports-by-switch';
import { portsUp } from '../relations/ports-up';
import { CONTROLLER_KINDS, controllerGone, controllerIsGone } from '../rule-kit/controller';
import { referenceTo } from '../world/entity';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { absent, unchanged, value } from '../rule-kit/facts';

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
  reads: ['Subnet', 'Logical_Switch_Port', 'Logical_Router', ...CONTROLLER_KINDS],
  about:
    "A switch of Kube-OVN's whose Subnet no longer exists, in a cluster that has no Kube-OVN controller any more. No port of it is used.",
  remedy: 'delete-logical-switch',

  check(network, view) {
    if (
      network.name === '' ||
      view.presence('Subnet', network.name) === 'present' ||
      !controllerIsGone(view)
    )
      return healthy;
    const owner = view.ownership(network);
    if (owner.verdict !== 'candidate') return healthy;
    if (view.has(portsUp, 'any'))
      return unknown(
        `Subnet ${network.name} no longer exists and no controller runs, yet chassis hold ports of Kube-OVN's up`,
      );
    if (view.has(portsBySwitch, network.uid))
      return unknown(
        `Subnet ${network.name} no longer exists, yet its switch has ports that may be used`,
      );
    return violation({
      says: `switch ${network.name} is of Subnet ${network.name}, which no longer exists, and no Kube-OVN controller is left to remove it`,
      owner,
      proof: [
        absent('Subnet', network.name),
        ...controllerGone,
        value(network, 'external_ids', JSON.stringify(network.object.external_ids)),
        unchanged(network),
      ],
      remedy: {
        action: 'delete-logical-switch',
        target: referenceTo(network),
        advice: `remove switch ${network.name} with the ends of routers and uplinks in it`,
      },
    });
  },
});
