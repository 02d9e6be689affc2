import { FOREIGN_ACLS, foreignAcls } from '../tallies/foreign-acls';
import { isController } from '../rule-kit/controller-flags';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { value } from '../rule-kit/facts';

/**
 * ACLs of Neutron's that are in another tier than Neutron puts them.
 *
 * Since v1.13.14 Kube-OVN's controller moves every ACL of the database from tier 0 to 2 at each
 * start, of any owner, and no flag of its spares others (kube-ovn.md §5, row 5). They are then
 * evaluated after whatever is in tier 0 or 1, and Neutron does not put them back by itself.
 */
export default defineRule({
  id: 'retiered-acls',
  class: 'damage',
  severity: 'warning',
  subject: 'Deployment',
  reads: ['ACL'],
  about:
    "Kube-OVN's controller moved ACLs of Neutron's into another tier, as it does at each start. Let Neutron write them again (neutron-ovn-db-sync-util), or compare with an earlier backup with `steward restore`.",

  check(deployment, view) {
    const count = view.tallied(foreignAcls, FOREIGN_ACLS.movedTier)?.count ?? 0;
    if (!isController(deployment) || count === 0) return healthy;
    return violation({
      summary: `${count} ${count === 1 ? 'ACL of Neutron is' : 'ACLs of Neutron are'} not in tier 0, where Neutron puts them: Kube-OVN's controller ${deployment.namespace}/${deployment.name} moves them when it starts`,
      proof: [value(deployment, 'ACLs of Neutron in another tier than 0', String(count))],
    });
  },
});
