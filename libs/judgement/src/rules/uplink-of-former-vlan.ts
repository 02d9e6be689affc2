import { isBeingDeleted } from '../kube-ovn/deletion';
import { present, unchanged, value } from '../rule-kit/facts';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { uplinkPorts } from '../rule-kit/uplink-ports';
import type { Entity } from '../world/entity';

/**
 * A Subnet without a Vlan whose switch has the uplink port of one.
 *
 * Kube-OVN makes the port while the Subnet names a Vlan, and deletes it with the Subnet alone: not
 * when the Vlan leaves the spec, and not at a start (`reconcileVlan` and `delLocalnet` in
 * pkg/controller, v1.12 to v1.17; kube-ovn.md §3.1). The blocks of the Subnet it writes only on the
 * port of a Subnet with a Vlan (`CreateLocalnetLogicalSwitchPort`): that of an external gateway from a
 * ConfigMap, whose switch may have the name of a Subnet, has none.
 */
export default defineRule({
  id: 'uplink-of-former-vlan',
  class: 'drift',
  severity: 'warning',
  subject: 'Subnet',
  reads: ['Logical_Switch_Port'],
  about:
    'A Subnet that names no Vlan any more, and whose switch still has the uplink port of one: its pods and the physical network still reach each other, past the router of the VPC. A restart of the controller does not remove the port. Check that the Subnet is to be without a Vlan, and delete the port with `ovn-nbctl lsp-del`.',

  check(subnet, view) {
    const { spec, metadata } = subnet.object;
    if (spec === undefined || (spec.vlan ?? '') !== '' || isBeingDeleted(subnet)) return healthy;
    const port = uplinkPorts(subnet.name, view).find((it) => isOfVlan(it, subnet.name));
    const owner = port && view.ownership(port);
    if (!port || owner?.owner !== 'kube-ovn') return healthy;
    const network = port.object.options?.['network_name'] ?? '';
    const tag = port.object.tag;
    return violation({
      summary: `Subnet ${metadata.name} names no Vlan, and its switch still has the uplink ${port.name} to provider network ${network}${tag === undefined ? '' : `, tag ${String(tag)}`}`,
      owner,
      concerns: [port],
      proof: [
        value(subnet, 'spec.vlan', spec.vlan ?? ''),
        present(subnet),
        value(port, 'external_ids', JSON.stringify(port.object.external_ids)),
        unchanged(port),
      ],
    });
  },
});

const isOfVlan = (
  { object: { type, external_ids: ids = {} } }: Entity<'Logical_Switch_Port'>,
  subnet: string,
): boolean =>
  type === 'localnet' &&
  ids['vendor'] === 'kube-ovn' &&
  ids['ls'] === subnet &&
  ['ipv4_network', 'ipv6_network'].some((it) => (ids[it] ?? '') !== '');
