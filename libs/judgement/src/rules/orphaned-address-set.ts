import { ADMIN_POLICY_KINDS } from '../kube-ovn/admin-policies';
import { referenceTo } from '../world/entity';
import { orphanedPolicyRow, POLICY_ROW_KINDS } from '../rule-kit/orphaned-policy-row';
import { defineRule } from '../rule-kit/rule';

/**
 * An address set whose policy, security group, pool, subnet or VPC is deleted.
 *
 * Removing one that a match still names makes ovn-controller drop that flow, so it counts as
 * garbage only while every row naming it belongs to owners that are deleted as well
 * (kube-ovn.md §4.9, row 67). Of what releases before v1.15 make without a tag, the sets of policies
 * of administrators, which v1.13 and v1.14 never collect, and those of SecurityGroups, which v1.12
 * never collects, are reported, and never removed.
 */
export default defineRule({
  id: 'orphaned-address-set',
  class: 'garbage',
  severity: 'info',
  subject: 'Address_Set',
  reads: POLICY_ROW_KINDS,
  consults: ADMIN_POLICY_KINDS,
  about:
    'An address set whose NetworkPolicy, AdminNetworkPolicy, SecurityGroup, IPPool, Subnet or Vpc no longer exists. Nothing uses it. At a start Kube-OVN’s controller collects at most those of SecurityGroups, and of NetworkPolicies that still have their group.',
  remedy: 'delete-address-set',

  check: (set, view) =>
    orphanedPolicyRow(set, view, {
      what: 'address set',
      remedy: {
        action: 'delete-address-set',
        target: referenceTo(set),
        advice: 'delete the address set, after the ACLs that name it',
      },
    }),
});
