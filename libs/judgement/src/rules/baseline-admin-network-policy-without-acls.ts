import { ADMIN_POLICY_KINDS } from '../kube-ovn/admin-policies';
import { defineRule } from '../rule-kit/rule';
import { ADMIN_POLICY_ROWS, unenforcedAdminPolicy } from '../rule-kit/unenforced-admin-policy';

/**
 * A BaselineAdminNetworkPolicy without its port group, or with a rule that has no ACL
 * (kube-ovn.md §3.4, rows 11 and 70a).
 */
export default defineRule({
  id: 'baseline-admin-network-policy-without-acls',
  class: 'drift',
  severity: 'critical',
  subject: 'BaselineAdminNetworkPolicy',
  reads: [...ADMIN_POLICY_ROWS],
  consults: ADMIN_POLICY_KINDS,
  about:
    'A BaselineAdminNetworkPolicy that is not enforced: its port group is missing, or a rule whose peers have addresses has no ACL in it. A restart of the controller creates group and ACLs again, unless it refuses the policy because another one has its priority.',
  check: (policy, view) => unenforcedAdminPolicy(policy, view),
});
