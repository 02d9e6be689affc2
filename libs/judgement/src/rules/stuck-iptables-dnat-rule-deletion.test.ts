import { testStuckIptablesRule } from '../testing/stuck-iptables-rule';
import rule from './stuck-iptables-dnat-rule-deletion';

testStuckIptablesRule('IptablesDnatRule', rule);
