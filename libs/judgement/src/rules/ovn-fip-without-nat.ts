import { MISSING_NAT_KINDS, missingNat } from '../rule-kit/missing-nat';
import { defineRule } from '../rule-kit/rule';

/**
 * A floating IP that Kube-OVN calls ready, whose NAT is absent: the reconcile of its own pod takes
 * it on the default VPC's router (kube-ovn.md §5, row 53).
 */
export default defineRule({
  id: 'ovn-fip-without-nat',
  class: 'missing',
  severity: 'critical',
  subject: 'OvnFip',
  reads: [...MISSING_NAT_KINDS],
  about:
    'A ready OvnFip whose NAT is not on the router of its VPC: nothing reaches its address from outside, and its pod or machine leaves under another address or not at all. Kube-OVN skips a ready one at each start and edit: delete the OvnFip and create it again.',
  check: (rule, view) => missingNat(rule, view),
});
