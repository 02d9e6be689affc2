import { testStuckIptablesRule } from '../testing/stuck-iptables-rule';
import rule from './stuck-iptables-fip-rule-deletion';

testStuckIptablesRule('IptablesFIPRule', rule);
