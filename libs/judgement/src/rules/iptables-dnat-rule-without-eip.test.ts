import { testIptablesRuleWithoutEip } from '../testing/iptables-rule-without-eip';
import rule from './iptables-dnat-rule-without-eip';

testIptablesRuleWithoutEip('IptablesDnatRule', rule);
