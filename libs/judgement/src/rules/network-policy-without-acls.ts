import type { View } from '../rule-kit/view';
import { aclsByDirection } from '../relations/acls-by-direction';
import { policiesByPortGroup } from '../relations/policies-by-port-group';
import { portsByGroup } from '../relations/ports-by-group';
import { setsInUse } from '../rule-kit/sets-in-use';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { enforcesPolicies } from '../rule-kit/controller-flags';
import { areInSet, POLICY_DIRECTIONS, type PolicyDirection } from '../rule-kit/policy-acls';
import { defineRule, healthy, violation, type Violation } from '../rule-kit/rule';
import { type Entity, keyOf } from '../world/entity';
import { absentRow, present, unclaimed, value } from '../rule-kit/facts';

/**
 * A network policy without its port group, or whose group has members and none of the ACLs by which
 * it drops what no rule allows, or none for a rule whose peers have addresses.
 *
 * Kube-OVN makes the group as soon as it handles the policy, whatever that selects, and the
 * dropping ACL of each direction as soon as one selected pod has a port, whatever the rules allow
 * (kube-ovn.md §3.4). So a group without members has no ACLs, and is healthy. They are lost by a
 * collection of another release, or a crash between deleting and making them (rows 11 and 70a); and
 * a policy stays without, if one of the pods it selects names a network that is missing (row 16).
 */
export default defineRule({
  id: 'network-policy-without-acls',
  class: 'drift',
  severity: 'critical',
  subject: 'NetworkPolicy',
  reads: [...CONTROLLER_KINDS, 'Port_Group', 'ACL', 'Address_Set', 'Logical_Switch_Port'],
  about:
    'A NetworkPolicy that is not enforced: its port group is missing, or has ports and no ACL that drops anything in a direction of the policy, so that all their traffic passes, or no ACL for the peers of a rule, whose traffic is dropped. A restart of the controller or an edit of the policy creates group and ACLs again. If not, a pod that the policy selects names a missing network.',

  check(policy, view) {
    const { metadata, spec } = policy.object;
    const types = spec?.policyTypes ?? [];
    const requested = POLICY_DIRECTIONS.filter(({ type }) => types.includes(type));
    if (metadata.deletionTimestamp !== undefined || requested.length === 0) return healthy;
    const name = policiesByPortGroup.keys(policy)[0]!;
    const group = view.get('Port_Group', name);
    const proof = [present(policy), value(policy, 'spec.policyTypes', types.join(', '))];
    if (!group)
      return enforcesPolicies(view)
        ? violation({
            summary: `NetworkPolicy ${keyOf(policy)} has no port group: ${name} does not exist, and nothing of the policy is enforced`,
            proof: [...proof, absentRow('Port_Group', name)],
          })
        : healthy;
    const bare = requested.filter(
      ({ acls }) => !view.has(aclsByDirection, `${group.uid} ${acls} drop`),
    );
    if (!view.has(portsByGroup, group.uid) || !enforcesPolicies(view)) return healthy;
    return violation(
      ...requested
        .filter((it) => !bare.includes(it))
        .flatMap((it) => rulesWithoutAcl(policy, group, it, view)),
      ...bare.map(({ type, acls: direction }) => ({
        summary: `port group ${name} of NetworkPolicy ${keyOf(policy)} has ports and no ${direction} ACL that drops: nothing of the policy's ${type} is enforced`,
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

/**
 * The rules of a direction whose peers have addresses, in a set that no ACL of the group names. A
 * rule that names only named ports may have none. A set of a family that no pod of the policy has
 * any more stays as it was, so that where the group names other sets it counts only if one of them
 * is of its family.
 */
function rulesWithoutAcl(
  policy: Entity<'NetworkPolicy'>,
  group: Entity<'Port_Group'>,
  { rules: direction, peers }: PolicyDirection,
  view: View<'Address_Set' | 'ACL'>,
): Violation[] {
  const rules = policy.object.spec?.[direction] ?? [];
  const used = rules.length > 0 ? setsInUse(group, view) : new Set<string>();
  const isOfUsedFamily = (family: string): boolean =>
    used.size === 0 || [...used].some((it) => it.includes(`.allow.${family}.`));
  return rules.flatMap(({ ports = [], [peers]: allowed = [] }, index) => {
    if (ports.length > 0 && ports.every((it) => typeof it.port === 'string')) return [];
    const unused = ['IPv4', 'IPv6']
      .filter(isOfUsedFamily)
      .map((family) => `${group.name}.${direction}.allow.${family}.${index}`)
      .filter((name) => !used.has(name))
      .flatMap((name) => view.get('Address_Set', name) ?? [])
      .filter(
        ({ object: { addresses = [] } }) => addresses.length > 0 && areInSet(allowed, addresses),
      );
    return unused.map((set) => ({
      summary: `${direction} rule ${index} of NetworkPolicy ${keyOf(policy)} is not enforced: no ACL of port group ${group.name} names its peers, address set ${set.name}`,
      part: { column: `spec.${direction}`, key: `${index} ${set.name}` },
      concerns: [group, set],
      proof: [
        present(policy),
        present(group),
        present(set),
        unclaimed('ACL', 'port group and address set in the match', `${group.name} ${set.name}`),
      ],
    }));
  });
}
