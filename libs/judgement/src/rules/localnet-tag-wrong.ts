import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { Entity } from '../world/entity';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { uplinkPorts } from '../rule-kit/uplink-ports';
import { present, value } from '../rule-kit/facts';

/**
 * A Subnet on a Vlan whose uplink port has another VLAN's tag, or none.
 *
 * Kube-OVN sets the tag when it makes the port and when the Vlan object is updated, and at no other
 * time: not when the Subnet is given another Vlan, and not at a start, which was seen
 * (kube-ovn.md §3.1, row 78). The id 0 stands for no tag.
 */
export default defineRule({
  id: 'localnet-tag-wrong',
  class: 'drift',
  severity: 'warning',
  subject: 'Subnet',
  reads: ['Vlan', 'Logical_Switch_Port'],
  about:
    'The uplink port of a Subnet has another VLAN tag than its Vlan says, so its pods are in a wrong physical network or in none. A restart does not help; any update of the Vlan object, such as an annotation, makes Kube-OVN set the tag, unless the status of the Vlan says that it conflicts with another.',

  check(subnet, view) {
    const vlanName = subnet.object.spec?.vlan ?? '';
    if (vlanName === '' || isBeingDeleted(subnet)) return healthy;
    const vlan = view.get('Vlan', vlanName);
    if (!vlan || isBeingDeleted(vlan)) return healthy;
    const id = vlan.object.spec?.['id'] ?? 0;
    const port = uplinkPorts(subnet.name, view).find(isUplinkOf(subnet.name));
    const { tag } = port?.object ?? {};
    if (!port || !isTag(id) || !isTag(tag ?? 0) || (tag ?? 0) === id) return healthy;
    return violation({
      summary: `Subnet ${subnet.name} is on Vlan ${vlanName}, ${id === 0 ? 'which has no tag' : `tag ${id}`}, and its uplink ${port.name} has ${tag === undefined ? 'no tag' : `tag ${String(tag)}`}`,
      concerns: [vlan, port],
      proof: [
        value(subnet, 'spec.vlan', vlanName),
        present(vlan),
        value(vlan, 'spec.id', String(vlan.object.spec?.['id'] ?? '')),
        value(port, 'tag', String(tag ?? '')),
      ],
    });
  },
});

/** What Kube-OVN accepts; another id it neither sets nor refuses on the object. */
const isTag = (tag: unknown): tag is number =>
  typeof tag === 'number' && Number.isInteger(tag) && tag >= 0 && tag < 4096;

/** As Kube-OVN makes it: of its name, its type and its keys. */
const isUplinkOf =
  (subnet: string) =>
  ({ object: { type, external_ids: ids } }: Entity<'Logical_Switch_Port'>): boolean =>
    type === 'localnet' && ids?.['vendor'] === 'kube-ovn' && ids['ls'] === subnet;
