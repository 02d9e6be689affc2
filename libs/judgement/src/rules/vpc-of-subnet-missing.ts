import { defineRule, healthy, violation } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { absent, unchanged, value } from '../rule-kit/facts';

/**
 * A subnet whose VPC does not exist.
 *
 * Its router goes, or went, with the VPC, at the controller's next start at the latest; some
 * versions stop annotating all namespaces because of it (kube-ovn.md rows 41 and 42).
 */
export default defineRule({
  id: 'vpc-of-subnet-missing',
  class: 'drift',
  severity: 'critical',
  subject: 'Subnet',
  reads: ['Vpc'],
  about:
    'A Subnet that names a Vpc which does not exist. Its pods lose their router; create the Vpc again before the controller restarts.',

  check(subnet, view) {
    const vpc = subnet.object.spec?.vpc ?? '';
    if (vpc === '' || isBeingDeleted(subnet) || view.presence('Vpc', vpc) === 'present')
      return healthy;
    return violation({
      summary: `Subnet ${subnet.name} belongs to Vpc ${vpc}, which does not exist`,
      proof: [absent('Vpc', vpc), value(subnet, 'spec.vpc', vpc), unchanged(subnet)],
    });
  },
});
