import { chassisByRouterPort } from '../relations/chassis-by-router-port';
import { switchesByName } from '../relations/switches-by-name';
import { referenceTo } from '../world/entity';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { absent, absentRow, unchanged, unreferenced, value } from '../rule-kit/facts';

/**
 * A router's port to a subnet that is deleted, with nothing on the other side.
 *
 * It stays forever when the controller restarts between a subnet's finalizer and its clean-up, or
 * when the subnet was deleted by force (kube-ovn.md §7.2, row 47). Ports between VPCs, to external
 * networks, of BFD sessions and of interconnections have similar names: each has a peer, an OvnEip,
 * a gateway chassis or a switch port of its own.
 */
export default defineRule({
  id: 'orphaned-logical-router-port',
  class: 'garbage',
  severity: 'warning',
  subject: 'Logical_Router_Port',
  reads: [
    'Subnet',
    'Vpc',
    'OvnEip',
    'Logical_Switch',
    'Logical_Switch_Port',
    'Logical_Router',
    'Gateway_Chassis',
    'HA_Chassis_Group',
  ],
  about:
    "A router port to a Subnet that no longer exists, with no switch port on the other side. The router still has the subnet's route, and drops what it sends there. A restart does not remove it.",
  remedy: 'delete-logical-router-port',

  check(port, view) {
    const router = port.object.external_ids?.['lr'] ?? '';
    if (
      router === '' ||
      (port.object.peer ?? '') !== '' ||
      !port.name.startsWith(`${router}-`) ||
      view.has(chassisByRouterPort, port.uid)
    )
      return healthy;
    const subnet = port.name.slice(router.length + 1);
    if (view.presence('Subnet', subnet) === 'present' || view.has(switchesByName, subnet))
      return healthy;
    const owner = view.ownership(port);
    if (owner.verdict !== 'candidate') return healthy;
    const vpc = view.get('Vpc', router);
    if (
      view.get('OvnEip', port.name) ||
      view.get('Vpc', subnet) ||
      vpc?.object.spec?.extraExternalSubnets?.includes(subnet)
    )
      return healthy;
    const referrer = view.referrers(port)[0];
    if (referrer)
      return unknown(
        `neither Subnet nor switch ${subnet} exists, yet ${referrer.kind} ${referrer.name || referrer.uid} names router port ${port.name}`,
      );

    return violation({
      says: `router port ${port.name} leads to Subnet ${subnet}, which no longer exists`,
      owner,
      proof: [
        absent('Subnet', subnet),
        absentRow('Logical_Switch', subnet),
        absent('OvnEip', port.name),
        absent('Vpc', subnet),
        unreferenced(port),
        value(port, 'external_ids', JSON.stringify(port.object.external_ids)),
        unchanged(port),
      ],
      remedy: {
        action: 'delete-logical-router-port',
        target: referenceTo(port),
        advice: `remove the port from its router; the route to ${(port.object.networks ?? []).join(', ') || 'its network'} goes with it`,
      },
    });
  },
});
