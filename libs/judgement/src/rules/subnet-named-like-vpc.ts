import { isOvnProvider, providerOf } from '../readiness/subnet-waits-for';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { present } from '../rule-kit/facts';

/**
 * A Subnet and a Vpc of one name: OVN then has a switch and a router of one name.
 *
 * Kube-OVN's webhook refuses it, and passes it where both are made at the same moment
 * (kube-ovn.md §7.1, row 46, #5132). A Subnet of another CNI's provider has no switch.
 */
export default defineRule({
  id: 'subnet-named-like-vpc',
  class: 'drift',
  severity: 'warning',
  subject: 'Subnet',
  reads: ['Vpc'],
  about:
    'A Subnet has the name of a Vpc, so that OVN has a switch and a router of one name, and flows of the two can be mixed up (#5132). Create the Subnet again under another name, with the pods in it; a restart of the controller changes nothing.',

  check(subnet, view) {
    if (isBeingDeleted(subnet)) return healthy;
    if (!isOvnProvider(providerOf(subnet.object))) return healthy;
    const vpc = view.get('Vpc', subnet.name);
    if (!vpc || isBeingDeleted(vpc)) return healthy;
    return violation({
      summary: `Subnet ${subnet.name} has the name of Vpc ${vpc.name}: its switch and the router of the Vpc share it`,
      concerns: [vpc],
      proof: [present(subnet), present(vpc)],
    });
  },
});
