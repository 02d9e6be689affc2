import { testStuckOvnNat } from '../testing/stuck-ovn-nat';
import rule from './stuck-ovn-fip-deletion';

testStuckOvnNat(
  { kind: 'OvnFip', type: 'dnat_and_snat', logical: '10.1.0.5', column: 'v4Ip' },
  rule,
);
