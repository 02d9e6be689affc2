import { ascendingBy } from '@ovn-steward/shared/compare';
import {
  type AdminPolicyKind,
  type Direction,
  DIRECTIONS,
  groupOfAdminPolicy,
  setsOfRule,
} from '../kube-ovn/admin-policies';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { aclsByHolder } from '../relations/acls-by-holder';
import { adminPolicies } from '../relations/admin-policies';
import { portsByGroup } from '../relations/ports-by-group';
import { type Entity, keyOf } from '../world/entity';
import type { AdminPolicyRule } from '../world/kubernetes-objects';
import { CONTROLLER_KINDS } from './controller';
import { enforcesAdminPolicies } from './controller-flags';
import { healthy, type Verdict, violation, type Violation } from './rule';
import { absentRow, present, unclaimed, value } from './facts';
import { adminPortTerm, termsOf, withoutAcl } from './policy-acls';
import { setsInUse } from './sets-in-use';
import type { View } from './view';

/** What a rule that calls `unenforcedAdminPolicy` reads beside the policies. */
export const ADMIN_POLICY_ROWS = [
  ...CONTROLLER_KINDS,
  'Port_Group',
  'Address_Set',
  'ACL',
  'Logical_Switch_Port',
] as const;
type Rows = View<(typeof ADMIN_POLICY_ROWS)[number]>;

/**
 * A policy of an administrator whose port group is missing, or has ports while a rule whose peers
 * have addresses has no ACL, or none for one of its ports.
 *
 * Kube-OVN makes the group as soon as it handles the policy, then for each rule an address set of
 * its peers, and an ACL where that has addresses (pkg/controller/admin_network_policy.go,
 * handleAddAnp). Peers that get their first addresses later are put into the set, and no ACL is
 * made: the rule is not enforced before the next start. A group may be lost by a collection (rows
 * 11 and 70a). A rule that names only ports Kube-OVN does not know (`namedPort`) has no ACL ever,
 * nor has one whose peers have no addresses.
 */
export function unenforcedAdminPolicy(
  policy: Entity<AdminPolicyKind>,
  view: View<(typeof ADMIN_POLICY_ROWS)[number] | AdminPolicyKind>,
): Verdict {
  if (isBeingDeleted(policy) || !enforcesAdminPolicies(view)) return healthy;
  const name = groupOfAdminPolicy(policy);
  const group = view.get('Port_Group', name);
  if (!group) return violation(withoutGroup(policy, name, view));
  if (!view.has(portsByGroup, group.uid)) return healthy;
  const used = setsInUse(group, view);
  return violation(
    ...DIRECTIONS.flatMap((direction) =>
      (policy.object.spec?.[direction] ?? []).flatMap((rule, index) => [
        ...ruleWithoutAcl(policy, { group, direction, rule, index, used }, view),
        ...portsWithoutAcl(policy, { group, direction, rule, index, used }, view),
      ]),
    ),
  );
}

function withoutGroup(
  policy: Entity<AdminPolicyKind>,
  name: string,
  view: View<AdminPolicyKind>,
): Violation {
  const [, ofPriority] = adminPolicies.keys(policy);
  const other =
    ofPriority === undefined
      ? undefined
      : view
          .related(adminPolicies, ofPriority)
          .filter((it) => it.uid !== policy.uid)
          .sort(ascendingBy((it) => it.name))[0];
  const priority = String(policy.object.spec?.priority ?? '');
  const because = other ? `; ${other.name} has its priority ${priority} as well` : '';
  return {
    summary: `${policy.kind} ${keyOf(policy)} has no port group: ${name} does not exist, and nothing of the policy is enforced${because}`,
    ...(other ? { concerns: [other] } : {}),
    proof: [
      present(policy),
      absentRow('Port_Group', name),
      ...(other
        ? [value(policy, 'spec.priority', priority), value(other, 'spec.priority', priority)]
        : []),
    ],
  };
}

interface OneRule {
  readonly group: Entity<'Port_Group'>;
  readonly direction: Direction;
  readonly rule: AdminPolicyRule;
  readonly index: number;
  readonly used: ReadonlySet<string>;
}

function ruleWithoutAcl(
  policy: Entity<AdminPolicyKind>,
  { group, direction, rule, index, used }: OneRule,
  view: Rows,
): Violation[] {
  const { name = '', ports = [] } = rule;
  const isKnown = ports.some((it) => it.portNumber !== undefined || it.portRange !== undefined);
  if (ports.length > 0 && !isKnown) return [];
  const sets = setsOfRule(group.name, direction, index, name)
    .flatMap((it) => view.get('Address_Set', it) ?? [])
    .filter((it) => (it.object.addresses ?? []).length > 0 && !used.has(it.name));
  if (sets.length === 0) return [];
  return [
    {
      summary: `${direction} rule ${index}${labelOf(name)} of ${policy.kind} ${keyOf(policy)} is not enforced: no ACL of port group ${group.name} names the addresses of its peers`,
      part: { column: `spec.${direction}`, key: String(index) },
      concerns: [group, ...sets],
      proof: [
        present(policy),
        present(group),
        ...sets.flatMap((set) => [
          present(set),
          unclaimed('ACL', 'port group and address set in the match', `${group.name} ${set.name}`),
        ]),
      ],
    },
  ];
}

/**
 * The ports without an ACL for a set that other ACLs of the group name. A ClusterNetworkPolicy that
 * names no ports may name them in a field of a later version.
 */
function portsWithoutAcl(
  policy: Entity<AdminPolicyKind>,
  { group, direction, rule, index, used }: OneRule,
  view: Rows,
): Violation[] {
  const { name = '', ports = [] } = rule;
  if (ports.length === 0 && policy.kind === 'ClusterNetworkPolicy') return [];
  const sets = setsOfRule(group.name, direction, index, name).filter((it) => used.has(it));
  return sets.flatMap((set) => {
    const acls = view
      .related(aclsByHolder, group.uid)
      .filter((it) => termsOf(it).some((term) => term.endsWith(` == $${set}`)));
    return withoutAcl(ports.map(adminPortTerm), acls).map((term) => ({
      summary: `${direction} rule ${index}${labelOf(name)} of ${policy.kind} ${keyOf(policy)} is not enforced for ${term}: no ACL of port group ${group.name} names this and ${set}`,
      part: { column: `spec.${direction}`, key: `${index} ${term} of ${set}` },
      concerns: [group],
      proof: [
        present(policy),
        present(group),
        unclaimed(
          'ACL',
          'port group, port and address set in the match',
          `${group.name} ${term} ${set}`,
        ),
      ],
    }));
  });
}

const labelOf = (name: string): string => (name === '' ? '' : ` (${name})`);
