import { aclsByDirection } from '../relations/acls-by-direction';
import { policiesByPortGroup } from '../relations/policies-by-port-group';
import { portsByGroup } from '../relations/ports-by-group';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { enforcesPolicies } from '../rule-kit/controller-flags';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { keyOf } from '../world/entity';
import { absentRow, present, unclaimed, value } from '../rule-kit/facts';

/** What a policy says it is for, and the direction in which its group then drops what no rule allows. */
const DIRECTIONS = [
  ['Ingress', 'to-lport'],
  ['Egress', 'from-lport'],
] as const;

/**
 * A network policy without its port group, or whose group has members and none of the ACLs by which it drops what no rule allows.
 *
 * Kube-OVN makes the group as soon as it handles the policy, whatever that selects, and the dropping ACL of each direction as soon as one selected pod has a port, whatever the rules allow
 * (kube-ovn.md §3.4). So a group without members has no ACLs, and is healthy. They are lost by a collection of another release, or a crash between deleting and making them
 * (rows 11 and 70a); and a policy stays without, if one of the pods it selects names a network that is missing (row 16).
 */
export default defineRule({
  id: 'network-policy-without-acls',
  class: 'drift',
  severity: 'critical',
  subject: 'NetworkPolicy',
  reads: [...CONTROLLER_KINDS, 'Port_Group', 'ACL', 'Logical_Switch_Port'],
  about:
    'A NetworkPolicy that is not enforced: its port group is missing, or has ports and no ACL that drops anything in a direction of the policy, so that all their traffic passes. A restart of the controller or an edit of the policy creates group and ACLs again. If not, a pod that the policy selects names a missing network.',

  check(policy, view) {
    const { metadata, spec } = policy.object;
    const types = spec?.policyTypes ?? [];
    const requested = DIRECTIONS.filter(([type]) => types.includes(type));
    if (metadata.deletionTimestamp !== undefined || requested.length === 0) return healthy;
    const name = policiesByPortGroup.keys(policy)[0]!;
    const group = view.get('Port_Group', name);
    const proof = [present(policy), value(policy, 'spec.policyTypes', types.join(', '))];
    if (!group)
      return enforcesPolicies(view)
        ? violation({
            says: `NetworkPolicy ${keyOf(policy)} has no port group: ${name} does not exist, and nothing of the policy is enforced`,
            proof: [...proof, absentRow('Port_Group', name)],
          })
        : healthy;
    const bare = requested.filter(
      ([, it]) => !view.has(aclsByDirection, `${group.uid} ${it} drop`),
    );
    if (bare.length === 0 || !view.has(portsByGroup, group.uid) || !enforcesPolicies(view))
      return healthy;
    return violation(
      ...bare.map(([type, direction]) => ({
        says: `port group ${name} of NetworkPolicy ${keyOf(policy)} has ports and no ${direction} ACL that drops: nothing of the policy's ${type} is enforced`,
        part: { column: 'spec.policyTypes', key: type },
        concerns: [group],
        proof: [
          ...proof,
          present(group),
          unclaimed('ACL', 'port group, direction and action', `${name} ${direction} drop`),
        ],
      })),
    );
  },
});
