import { testEipAddressGivenTwice } from '../testing/eip-address-given-twice';
import rule from './duplicate-iptables-eip-address';

testEipAddressGivenTwice('IptablesEIP', 'ip', rule);
