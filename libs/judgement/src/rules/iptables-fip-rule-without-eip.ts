import { defineRule } from '../rule-kit/rule';
import { iptablesRuleWithoutEip } from '../rule-kit/rule-without-eip';

/** A floating IP of a NAT gateway that kept the address of an IptablesEIP which is gone. */
export default defineRule({
  id: 'iptables-fip-rule-without-eip',
  class: 'drift',
  severity: 'warning',
  subject: 'IptablesFIPRule',
  reads: ['IptablesEIP', 'VpcNatGateway'],
  about:
    'A floating IP of a NAT gateway whose IptablesEIP does not exist, as releases before v1.15 delete one that rules use: whoever is given the address shares it with the pod of the rule. A restart of the controller does not take it out; delete it, or let it name another IptablesEIP.',
  check: (rule, view) => iptablesRuleWithoutEip(rule, view),
});
