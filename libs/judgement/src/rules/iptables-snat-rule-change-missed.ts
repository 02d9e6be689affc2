import { defineRule } from '../rule-kit/rule';
import { unappliedChange } from '../rule-kit/unapplied-change';

/** A SNAT rule that the pod of its gateway has as it was before a change. */
export default defineRule({
  id: 'iptables-snat-rule-change-missed',
  class: 'drift',
  severity: 'warning',
  subject: 'IptablesSnatRule',
  reads: [],
  about:
    'The CIDR of a SNAT rule of a NAT gateway was changed, and the gateway has the former one. Kube-OVN misses what is changed while its controller is down, and the gateway keeps the former values. A restart does not carry the change out; change the rule again, or delete it and make it again.',
  check: (rule) => unappliedChange(rule, ['internalCIDR']),
});
