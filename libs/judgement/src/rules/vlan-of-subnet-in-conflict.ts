import { isBeingDeleted } from '../kube-ovn/deletion';
import { present, unchanged, value } from '../rule-kit/facts';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { Entity } from '../world/entity';

/** The reason the controller writes into the conditions of a Subnet that it refuses for its Vlan. */
const REFUSED = 'ValidateSubnetVlanFailed';

/**
 * A Subnet that the controller refuses because its Vlan has the id of another one in the same
 * provider network.
 *
 * From v1.14 on, which has that status, the Subnet is refused before anything else is done for it
 * (pkg/controller/subnet.go, validateSubnetVlan; vlan.go, checkVlanConflict). A start marks both
 * Vlans, so that also the Subnet that was there first is refused. The handler returned no error
 * until late releases of v1.15, and no change of a Vlan's id has its Subnets handled again: such a
 * Subnet stays refused after the conflict is over. Its conditions say so. An id that becomes 0 is
 * not compared any more, and leaves the status as it was.
 */
export default defineRule({
  id: 'vlan-of-subnet-in-conflict',
  class: 'drift',
  severity: 'warning',
  subject: 'Subnet',
  reads: ['Vlan'],
  about:
    'A Subnet that the controller (v1.14 and later) refuses because its Vlan has the id of another Vlan of the same ProviderNetwork: changes to it have no effect, and a new one gets no switch. Give one of the two Vlans another id than 0 and than those in use, or delete the one that nobody uses. A restart of the controller helps only when the status of the Vlan no longer says that it conflicts; then it, or any edit of spec of the Subnet, has the Subnet handled again.',

  check(subnet, view) {
    const name = subnet.object.spec?.vlan ?? '';
    if (name === '' || isBeingDeleted(subnet)) return healthy;
    const vlan = view.get('Vlan', name);
    if (!vlan || isBeingDeleted(vlan)) return healthy;
    const proof = [value(subnet, 'spec.vlan', name), present(vlan), unchanged(subnet)];
    if (vlan.object.status?.['conflict'] === true)
      return violation({
        summary: `Subnet ${subnet.name} is refused by the controller: its Vlan ${name} conflicts with another`,
        concerns: [vlan],
        proof: [...proof, unchanged(vlan)],
      });
    if (!wasRefused(subnet)) return healthy;
    return violation({
      summary: `Subnet ${subnet.name} was refused for its Vlan ${name} when the controller last handled it, and its Vlan no longer conflicts with another`,
      concerns: [vlan],
      proof,
    });
  },
});

/** The condition is set anew, with another reason, as soon as the Vlan is found valid. */
const wasRefused = ({ object: { status } }: Entity<'Subnet'>): boolean =>
  (status?.conditions ?? []).some((it) => it.type === 'Validated' && it.reason === REFUSED);
