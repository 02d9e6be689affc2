import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { OVN_NAT_KINDS, stuckOvnNat } from '../rule-kit/ovn-nat-deletion';
import { defineRule } from '../rule-kit/rule';

/**
 * A floating IP that is being deleted: its NAT is still there, or the router its NAT was on went
 * first (kube-ovn.md §7.3, row 43).
 */
export default defineRule({
  id: 'stuck-ovn-fip-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'OvnFip',
  reads: [...OVN_NAT_KINDS],
  consults: [...CONTROLLER_KINDS],
  about:
    'A floating IP that does not finish its deletion: its VPC, and with it the router, was deleted first, or its NAT has not been removed.',
  remedy: 'strip-finalizer',
  check: (rule, view) => stuckOvnNat(rule, view),
});
