import { ascendingBy } from '@ovn-steward/shared/compare';
import { policiesByPortGroup } from '../relations/policies-by-port-group';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { type Entity, keyOf } from '../world/entity';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { present } from '../rule-kit/facts';

/**
 * A NetworkPolicy whose port group is another policy's as well, since `-` becomes `.` in the name
 * of a group.
 *
 * Each writes its ports and ACLs over the other's, so only who was handled last is obeyed, and the
 * deletion of one ends both (kube-ovn.md §3.4, row 69; so in all releases). Of those that share a
 * group the first by name has the finding. Without the group nothing is enforced here, as with
 * `enable-np=false`.
 */
export default defineRule({
  id: 'network-policies-share-group',
  class: 'drift',
  severity: 'warning',
  subject: 'NetworkPolicy',
  reads: ['Port_Group'],
  about:
    'The names of two NetworkPolicies give one port group in OVN: only the one that Kube-OVN handled last is enforced, and a restart may swap them. Create one of them again under a name that differs in more than "-" and ".".',

  check(policy, view) {
    const group = groupOf(policy);
    const [first, ...others] = view
      .related(policiesByPortGroup, group)
      .filter((it) => !isBeingDeleted(it))
      .sort(ascendingBy(keyOf));
    if (first?.uid !== policy.uid || others.length === 0) return healthy;
    if (view.presence('Port_Group', group) !== 'present') return healthy;
    return violation({
      summary: `NetworkPolicy ${keyOf(policy)} has one port group with ${others.map(keyOf).join(' and ')} in OVN, ${group}: only one of them is obeyed`,
      concerns: others,
      proof: [policy, ...others].map((it) => present(it)),
    });
  },
});

const groupOf = (policy: Entity<'NetworkPolicy'>): string => policiesByPortGroup.keys(policy)[0]!;
