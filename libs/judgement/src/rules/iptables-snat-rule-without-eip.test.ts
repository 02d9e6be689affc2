import { testIptablesRuleWithoutEip } from '../testing/iptables-rule-without-eip';
import rule from './iptables-snat-rule-without-eip';

testIptablesRuleWithoutEip('IptablesSnatRule', rule);
