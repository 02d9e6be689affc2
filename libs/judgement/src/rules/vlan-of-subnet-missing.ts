import { defineRule, healthy, violation } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { absent, unchanged, value } from '../rule-kit/facts';

/**
 * An underlay subnet whose VLAN does not exist.
 *
 * From v1.13 on the controller looks for the VLAN before anything else, so it neither applies
 * changes to the subnet nor finishes its deletion (kube-ovn.md §7.2, row 78). v1.12 does so only
 * until the subnet has a VPC, and makes no uplink for it (pkg/controller/subnet.go, formatSubnet).
 */
export default defineRule({
  id: 'vlan-of-subnet-missing',
  class: 'drift',
  severity: 'warning',
  subject: 'Subnet',
  reads: ['Vlan'],
  about:
    'A Subnet that names a Vlan which does not exist. From v1.13 on changes to it have no effect and it cannot be deleted until the Vlan exists again; a restart does not help.',

  check(subnet, view) {
    const vlan = subnet.object.spec?.vlan ?? '';
    if (vlan === '' || isBeingDeleted(subnet) || view.presence('Vlan', vlan) === 'present')
      return healthy;
    return violation({
      summary: `Subnet ${subnet.name} uses Vlan ${vlan}, which does not exist`,
      proof: [absent('Vlan', vlan), value(subnet, 'spec.vlan', vlan), unchanged(subnet)],
    });
  },
});
