import { defineRule, healthy } from '../rule-kit/rule';
import { unappliedChange } from '../rule-kit/unapplied-change';

/**
 * An OvnSnatRule whose NAT has the CIDR of before. Where the CIDR is that of a Subnet or an IP object,
 * the spec does not say it.
 */
export default defineRule({
  id: 'ovn-snat-rule-change-ignored',
  class: 'drift',
  severity: 'warning',
  subject: 'OvnSnatRule',
  reads: [],
  about:
    'The CIDR of an OvnSnatRule was changed after Kube-OVN had made it, and the NAT has the former one. Kube-OVN carries out no change of it. A restart does not carry it out; delete the rule and make it again.',
  check: (rule) =>
    (rule.object.spec?.vpcSubnet ?? '') !== '' || (rule.object.spec?.ipName ?? '') !== ''
      ? healthy
      : unappliedChange(rule, ['v4IpCidr', 'v6IpCidr']),
});
