import { defineRule } from '../rule-kit/rule';
import { unappliedChange } from '../rule-kit/unapplied-change';

/** An OvnDnatRule whose load balancer has the ports of before. */
export default defineRule({
  id: 'ovn-dnat-rule-change-ignored',
  class: 'drift',
  severity: 'warning',
  subject: 'OvnDnatRule',
  reads: [],
  about:
    'A port or the protocol of an OvnDnatRule was changed after Kube-OVN had made it, and traffic goes by the former ones. Kube-OVN refuses the change from v1.13 on, and before that it misses one that was made while its controller was down. A restart does not carry it out; delete the rule and make it again.',
  check: (rule) => unappliedChange(rule, ['externalPort', 'internalPort', 'protocol']),
});
