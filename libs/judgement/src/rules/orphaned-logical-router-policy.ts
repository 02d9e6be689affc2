import { referenceTo } from '../world/entity';
import {
  isFromSpec,
  otherClaimOf,
  ownersOfPolicy,
  ROUTER_POLICY_OWNER_KINDS,
} from '../rule-kit/router-policies';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { switchInUse } from '../rule-kit/switch-in-use';
import { absent, unchanged, value } from '../rule-kit/facts';

/**
 * A router policy whose node, subnet or gateway is deleted.
 *
 * Kube-OVN removes policies when it handles the deletion and, at its start, only those of nodes
 * without a dot in their name; those of a force-deleted subnet stay forever (kube-ovn.md §4.1,
 * §7.2, rows 47 and 48). A policy with the priority and match of one in the Vpc's spec is the
 * user's, whatever its keys say. Pods of a subnet that was deleted by force need its policies as long
 * as they run.
 */
export default defineRule({
  id: 'orphaned-logical-router-policy',
  class: 'garbage',
  severity: 'warning',
  subject: 'Logical_Router_Policy',
  reads: ['Node', 'Subnet', 'Vpc', 'Logical_Router', 'Logical_Switch', 'Logical_Switch_Port'],
  consults: [...ROUTER_POLICY_OWNER_KINDS],
  about:
    'A router policy made for a Node, Subnet or gateway that no longer exists. It may still send traffic to where nothing receives it. A start of Kube-OVN’s controller removes at most those of Nodes, of priority 30000.',
  remedy: 'delete-logical-router-policy',

  check(policy, view) {
    const owners = ownersOfPolicy(policy);
    if (owners.length === 0) return healthy;
    const owner = view.ownership(policy);
    if (owner.verdict !== 'candidate' || isFromSpec(policy, view)) return healthy;
    const gone = owners.find((it) => view.presence(it.kind, it.key) === 'absent');
    if (!gone) {
      const doubtful = owners.find((it) => view.presence(it.kind, it.key) === 'unknown');
      return doubtful
        ? unknown(`not known whether ${doubtful.kind} ${doubtful.key} exists`)
        : healthy;
    }
    if (gone.kind === 'Subnet' && switchInUse(gone.key, view))
      return unknown(`Subnet ${gone.key} is gone, but its switch has ports that may be in use`);
    const { priority = 0, match = '' } = policy.object;
    const other = otherClaimOf(policy, view);
    if (other)
      return unknown(
        `${gone.kind} ${gone.key} is gone, but ${other.kind} ${other.name} has what router policy ${priority} "${match}" is about, and it may be that one's as well`,
      );

    return violation({
      summary: `router policy ${priority} "${match}" was made for ${gone.kind} ${gone.key}, which no longer exists`,
      owner,
      proof: [
        absent(gone.kind, gone.key),
        value(policy, 'external_ids', JSON.stringify(policy.object.external_ids)),
        value(policy, 'match', match),
        unchanged(policy),
      ],
      remedy: {
        action: 'delete-logical-router-policy',
        target: referenceTo(policy),
        advice: 'remove the policy from its router; nothing else changes',
      },
    });
  },
});
