import { ascendingBy } from '@ovn-steward/shared/compare';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { ownersByRowName } from '../relations/owners-by-row-name';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { present } from '../rule-kit/facts';

/**
 * A SecurityGroup whose port group is another one's as well, since `-` becomes `.` in the name of a
 * group (kube-ovn.md §3.4, row 69).
 *
 * Each writes its ports and ACLs over the other's. Of those that share a group the first by name
 * has the finding.
 */
export default defineRule({
  id: 'security-groups-share-group',
  class: 'drift',
  severity: 'warning',
  subject: 'SecurityGroup',
  reads: ['Port_Group'],
  consults: ownersByRowName.kinds === 'ovn-nb' ? [] : ownersByRowName.kinds,
  about:
    'The names of two SecurityGroups give one port group in OVN: the rules of only one of them are enforced, for the ports of both. Create one of them again under a name that differs in more than "-" and ".". A restart does not help.',

  check(securityGroup, view) {
    const group = ownersByRowName.keys(securityGroup)[0]!;
    const [first, ...others] = view
      .related(ownersByRowName, group)
      .filter((it) => it.kind === 'SecurityGroup' && !isBeingDeleted(it))
      .sort(ascendingBy((it) => it.name));
    if (first?.uid !== securityGroup.uid || others.length === 0) return healthy;
    if (view.presence('Port_Group', group) !== 'present') return healthy;
    return violation({
      summary: `SecurityGroup ${securityGroup.name} has one port group with ${others.map((it) => it.name).join(' and ')} in OVN, ${group}: only one of them is enforced`,
      concerns: others,
      proof: [securityGroup, ...others].map((it) => present(it)),
    });
  },
});
