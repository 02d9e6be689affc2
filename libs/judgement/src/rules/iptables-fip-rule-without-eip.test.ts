import { testIptablesRuleWithoutEip } from '../testing/iptables-rule-without-eip';
import rule from './iptables-fip-rule-without-eip';

testIptablesRuleWithoutEip('IptablesFIPRule', rule);
