import { testEipAddressGivenTwice } from '../testing/eip-address-given-twice';
import rule from './duplicate-ovn-eip-address';

testEipAddressGivenTwice('OvnEip', 'v4Ip', rule);
