import { isBeingDeleted } from '../kube-ovn/deletion';
import { vpcOfSubnet } from '../kube-ovn/vpc-of';
import { chassisByRouterPort } from '../relations/chassis-by-router-port';
import { absent, present, value } from '../rule-kit/facts';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';

type Port = Entity<'Logical_Router_Port'>;

/**
 * A router port by which a Subnet is still joined to the VPC that it was in, beside that of its own.
 *
 * When the VPC in its spec changes, the controller joins the switch to the new router, and takes the
 * pair of ports off the former one only where the Subnet is an interconnected underlay
 * (`clearOldU2OResource`, pkg/controller/subnet.go); so in v1.12 to v1.17, unless the webhook, which
 * few install, refuses the change. Both ports have the gateway's address. Ports to external networks
 * have an OvnEip, a chassis and an address of their own.
 */
export default defineRule({
  id: 'subnet-joined-to-former-vpc',
  class: 'drift',
  severity: 'critical',
  subject: 'Logical_Router_Port',
  reads: [
    'Subnet',
    'Vpc',
    'OvnEip',
    'Logical_Router_Port',
    'Logical_Switch_Port',
    'Gateway_Chassis',
    'HA_Chassis_Group',
  ],
  about:
    'A Subnet was moved to another VPC and is still joined to the router of the former one: two routers answer for its gateway address, and both reach its pods. A restart of the controller does not remove the ports; delete the pair, `<vpc>-<subnet>` from the former router and `<subnet>-<vpc>` from the switch.',

  check(port, view) {
    const router = port.object.external_ids?.['lr'] ?? '';
    if (port.object.external_ids?.['vendor'] !== 'kube-ovn' || !port.name.startsWith(`${router}-`))
      return healthy;
    const subnet = view.get('Subnet', port.name.slice(router.length + 1));
    if (router === '' || !subnet || isBeingDeleted(subnet)) return healthy;
    const own = vpcOfSubnet(subnet.object.spec);
    const former = own === router ? undefined : view.get('Vpc', router);
    if (!former || (port.object.peer ?? '') !== '' || isToOutside(port, subnet, former, view))
      return healthy;
    const other = view.get('Logical_Router_Port', `${own}-${subnet.name}`);
    const uplink = view.get('Logical_Switch_Port', `${subnet.name}-${router}`);
    const shared = other && sharedNetwork(port, other);
    if (!other || !uplink || shared === undefined) return healthy;
    const owner = view.ownership(port);
    if (owner.owner !== 'kube-ovn') return healthy;
    return violation({
      summary: `Subnet ${subnet.name} is in Vpc ${own} and is joined to the router of Vpc ${router} as well: ports ${port.name} and ${other.name} both have ${shared}`,
      owner,
      concerns: [subnet, other, uplink],
      proof: [
        value(subnet, 'spec.vpc', subnet.object.spec?.vpc ?? ''),
        present(former),
        absent('OvnEip', port.name),
        value(port, 'networks', (port.object.networks ?? []).join(', ')),
        value(other, 'networks', (other.object.networks ?? []).join(', ')),
        present(uplink),
      ],
    });
  },
});

/** Whether the Vpc leaves by the Subnet, as an external network, which is in another one. */
const isToOutside = (
  port: Port,
  subnet: Entity<'Subnet'>,
  { object: { spec, status } }: Entity<'Vpc'>,
  view: View<'OvnEip' | 'Gateway_Chassis' | 'HA_Chassis_Group' | 'Vpc'>,
): boolean =>
  view.has(chassisByRouterPort, port.uid) ||
  view.get('OvnEip', port.name) !== undefined ||
  view.get('Vpc', subnet.name) !== undefined ||
  [spec, status].some(
    (it) => it?.enableExternal === true || (it?.extraExternalSubnets ?? []).includes(subnet.name),
  );

const sharedNetwork = (one: Port, other: Port): string | undefined =>
  (one.object.networks ?? []).find((it) => (other.object.networks ?? []).includes(it));
