import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { chassisByRouterPort } from '../relations/chassis-by-router-port';
import { switchesByName } from '../relations/switches-by-name';
import type { Entity } from '../world/entity';
import { referenceTo } from '../world/entity';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import {
  absent,
  absentRow,
  present,
  unchanged,
  unclaimed,
  unreferenced,
  value,
} from '../rule-kit/facts';
import type { View } from '../rule-kit/view';

/**
 * A router's port to a subnet that is deleted, with nothing on the other side.
 *
 * It stays forever when the controller restarts between a subnet's finalizer and its clean-up, or
 * when the subnet was deleted by force (kube-ovn.md §7.2, row 47). Ports between VPCs, to external
 * networks, of BFD sessions and of interconnections have similar names: each has a peer, an OvnEip,
 * a gateway chassis or a switch port of its own.
 *
 * A port to another Vpc is removed when that leaves the spec, but only where the status names it,
 * which is written last (`handleAddOrUpdateVpc`, pkg/controller/vpc.go, v1.12 to v1.17): one that was
 * taken out of the spec while the controller still failed at the Vpc stays until the next start with
 * collection on (`gcLogicalRouterPort`).
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
    'Logical_Router_Port',
    'Logical_Switch',
    'Logical_Switch_Port',
    'Logical_Router',
    'Gateway_Chassis',
    'HA_Chassis_Group',
  ],
  about:
    "A router port to a Subnet that no longer exists, with no switch port on the other side, or half of a peering that neither Vpc asks for. The router still has the port's route, and drops what it sends there. A restart removes only the half of a peering, unless the collection is off.",
  remedy: 'delete-logical-router-port',

  check(port, view) {
    const router = port.object.external_ids?.['lr'] ?? '';
    if (
      router === '' ||
      !port.name.startsWith(`${router}-`) ||
      view.has(chassisByRouterPort, port.uid)
    )
      return healthy;
    const other = port.name.slice(router.length + 1);
    if (view.presence('Subnet', other) === 'present' || view.has(switchesByName, other))
      return healthy;
    const left = (port.object.peer ?? '') === '' ? toSubnet : toPeer;
    const end = left(port, router, other, view);
    if (!end) return healthy;
    const owner = view.ownership(port);
    if (owner.verdict !== 'candidate') return healthy;
    const referrer = view.referrers(port)[0];
    if (referrer)
      return unknown(
        `${end.isGone}, yet ${referrer.kind} ${referrer.name || referrer.uid} names router port ${port.name}`,
      );

    return violation({
      summary: `router port ${port.name} leads to ${end.destination}`,
      owner,
      proof: [
        absent('Subnet', other),
        absentRow('Logical_Switch', other),
        absent('OvnEip', port.name),
        ...end.proof,
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

type Port = Entity<'Logical_Router_Port'>;
type Consulted = View<'Vpc' | 'OvnEip' | 'Logical_Router_Port'>;

/** Where the port leads, and why there is nothing. */
interface End {
  readonly destination: string;
  readonly isGone: string;
  readonly proof: readonly Fact[];
}

function toSubnet(port: Port, router: string, subnet: string, view: Consulted): End | undefined {
  const isExternal =
    view.get('OvnEip', port.name) !== undefined ||
    view.get('Vpc', router)?.object.spec?.extraExternalSubnets?.includes(subnet) === true;
  if (isExternal || view.get('Vpc', subnet)) return undefined;
  return {
    destination: `Subnet ${subnet}, which no longer exists`,
    isGone: `neither Subnet nor switch ${subnet} exists`,
    proof: [absent('Vpc', subnet)],
  };
}

/** The half of a peering that neither side asks for, as the other half is gone. */
function toPeer(port: Port, router: string, remote: string, view: Consulted): End | undefined {
  const half = `${remote}-${router}`;
  const own = view.get('Vpc', router);
  const other = view.get('Vpc', remote);
  const isWanted = !own || asksFor(own, remote) || (other && asksFor(other, router));
  if (port.object.peer !== half || isWanted || view.get('OvnEip', port.name)) return undefined;
  if (view.presence('Logical_Router_Port', half) !== 'absent') return undefined;
  return {
    destination: `Vpc ${remote}, with which Vpc ${router} asks for no peering`,
    isGone: `there is no router port ${half}`,
    proof: [
      absentRow('Logical_Router_Port', half),
      present(own),
      unclaimed('Vpc', 'spec or status, peering of', `${router} and ${remote}`),
    ],
  };
}

const asksFor = ({ object: { spec, status } }: Entity<'Vpc'>, other: string): boolean =>
  (spec?.vpcPeerings ?? []).some((it) => it['remoteVpc'] === other) ||
  (status?.vpcPeerings ?? []).includes(other);
