import { defineRule } from '../rule-kit/rule';
import { iptablesRuleWithoutEip } from '../rule-kit/rule-without-eip';

/** A DNAT rule of a NAT gateway that kept the address of an IptablesEIP which is gone. */
export default defineRule({
  id: 'iptables-dnat-rule-without-eip',
  class: 'drift',
  severity: 'warning',
  subject: 'IptablesDnatRule',
  reads: ['IptablesEIP', 'VpcNatGateway'],
  about:
    'A DNAT rule of a NAT gateway whose IptablesEIP does not exist, as releases before v1.15 delete one that rules use: whoever is given the address gets the rule with it. A restart of the controller does not take it out; delete it, or let it name another IptablesEIP.',
  check: (rule, view) => iptablesRuleWithoutEip(rule, view),
});
