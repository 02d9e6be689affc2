import { MISSING_NAT_KINDS, missingNat } from '../rule-kit/missing-nat';
import { defineRule } from '../rule-kit/rule';

/** A SNAT rule that Kube-OVN calls ready, whose NAT is absent (kube-ovn.md §7.3, row 53). */
export default defineRule({
  id: 'ovn-snat-rule-without-nat',
  class: 'missing',
  severity: 'critical',
  subject: 'OvnSnatRule',
  reads: [...MISSING_NAT_KINDS],
  about:
    'A ready OvnSnatRule whose NAT is not on the router of its VPC: the subnet or address it serves cannot reach the outside. Kube-OVN skips a ready one at each start and edit: delete the OvnSnatRule and create it again.',
  check: (rule, view) => missingNat(rule, view),
});
