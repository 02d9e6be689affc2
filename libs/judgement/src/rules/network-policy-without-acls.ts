import { networksUnder } from '../kube-ovn/policy-selection';
import { aclsByDirection } from '../relations/acls-by-direction';
import { policiesByPortGroup } from '../relations/policies-by-port-group';
import { portsByName } from '../relations/ports-by-name';
import { servedPods } from '../relations/served-pods';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { enforcesPolicies } from '../rule-kit/controller-flags';
import { absentRow, defineRule, healthy, present, unclaimed, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { type Entity, keyOf } from '../world/entity';

/** What a policy says it is for, and the direction in which its group then drops what no rule allows. */
const DIRECTIONS = [
  ['Ingress', 'to-lport'],
  ['Egress', 'from-lport'],
] as const;

/** More pods of one namespace than these are not looked through for one that the policy selects. */
const MOST_PODS = 2000;

/**
 * A network policy that selects a pod with a port, and has no port group, or none of the ACLs by which a group drops what no rule allows.
 *
 * Kube-OVN makes the group as soon as it handles the policy, and the dropping ACL of each direction as soon as one selected pod has a port, whatever the rules allow and however
 * they are enforced. So a group without ACLs is healthy while no pod is selected, and a lost one comes back with the next pod. All of them are lost by
 * a collection of another release, or a crash between deleting and making them (kube-ovn.md §5, rows 11 and 70a); and a policy stays without, if one of the pods it selects
 * names a network that is missing (row 16).
 */
export default defineRule({
  id: 'network-policy-without-acls',
  class: 'drift',
  severity: 'critical',
  subject: 'NetworkPolicy',
  reads: [...CONTROLLER_KINDS, 'Port_Group', 'ACL', 'Logical_Switch_Port'],
  about:
    'A NetworkPolicy that selects pods and is not enforced: its port group is gone, or has no ACL that drops anything in a direction it is for, so that all traffic passes. A restart of the controller makes group and ACLs anew, and so does an edit of the policy; where it does not, a pod that the policy selects names a missing network.',

  check(policy, view) {
    const types = policy.object.spec?.policyTypes ?? [];
    const asked = DIRECTIONS.filter(([type]) => types.includes(type));
    const [name] = policiesByPortGroup.keys(policy);
    if (policy.object.metadata.deletionTimestamp !== undefined || asked.length === 0)
      return healthy;
    const group = view.get('Port_Group', name!);
    const bare = group
      ? asked.filter(([, it]) => !view.has(aclsByDirection, `${group.uid} ${it} drop`))
      : asked;
    if (bare.length === 0) return healthy;
    const pod = selectedPod(policy, view);
    if (!pod || !enforcesPolicies(view)) return healthy;
    const selects = `NetworkPolicy ${keyOf(policy)} selects pod ${keyOf(pod)}`;
    if (!group)
      return violation({
        says: `${selects}, and its port group ${name} does not exist: nothing of it is enforced`,
        concerns: [pod],
        proof: [present(policy), present(pod), absentRow('Port_Group', name!)],
      });
    return violation(
      ...bare.map(([type, direction]) => ({
        says: `${selects}, and its port group ${name} has no ${direction} ACL that drops: nothing of its ${type} is enforced`,
        part: { column: 'spec.policyTypes', key: type },
        concerns: [group, pod],
        proof: [
          present(policy),
          present(pod),
          present(group),
          unclaimed('ACL', 'port group, direction and action', `${name} ${direction} drop`),
        ],
      })),
    );
  },
});

/** The first pod by name that the policy selects and whose port exists. */
const selectedPod = (
  policy: Entity<'NetworkPolicy'>,
  view: View<'Pod' | 'Logical_Switch_Port'>,
): Entity<'Pod'> | undefined =>
  [...view.related(servedPods, policy.namespace ?? '', MOST_PODS)]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .find((pod) =>
      networksUnder(policy, pod).some(({ portName }) => view.has(portsByName, portName)),
    );
