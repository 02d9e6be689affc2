import { testStuckIptablesRule } from '../testing/stuck-iptables-rule';
import rule from './stuck-iptables-snat-rule-deletion';

testStuckIptablesRule('IptablesSnatRule', rule);
