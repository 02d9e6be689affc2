import { defineRule, healthy, violation } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { absent, unchanged, value } from '../rule-kit/facts';

/**
 * A VLAN whose provider network does not exist.
 *
 * The daemon of each node removes the bridge of a provider network that is deleted
 * (pkg/daemon/controller.go, handleDeleteProviderNetwork), and nothing keeps one from being deleted
 * while VLANs name it. From v1.16 on the controller puts a subnet of such a VLAN off, and says so in
 * its log alone (pkg/controller/subnet.go, validateSubnetVlan).
 */
export default defineRule({
  id: 'provider-network-of-vlan-missing',
  class: 'drift',
  severity: 'warning',
  subject: 'Vlan',
  reads: ['ProviderNetwork'],
  about:
    'A Vlan that names a ProviderNetwork which does not exist: no node has its bridge, so pods of its Subnets reach nothing of the physical network, and from v1.16 on changes to these Subnets have no effect. Make the ProviderNetwork again, as it was, and then annotate the Vlan. A restart of the controller does not help.',

  check(vlan, view) {
    const provider = vlan.object.spec?.['provider'];
    if (typeof provider !== 'string' || provider === '' || isBeingDeleted(vlan)) return healthy;
    if (view.presence('ProviderNetwork', provider) === 'present') return healthy;
    return violation({
      summary: `Vlan ${vlan.name} is of ProviderNetwork ${provider}, which does not exist`,
      proof: [
        absent('ProviderNetwork', provider),
        value(vlan, 'spec.provider', provider),
        unchanged(vlan),
      ],
    });
  },
});
