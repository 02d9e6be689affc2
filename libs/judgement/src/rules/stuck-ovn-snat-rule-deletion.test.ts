import { testStuckOvnNat } from '../testing/stuck-ovn-nat';
import rule from './stuck-ovn-snat-rule-deletion';

testStuckOvnNat(
  { kind: 'OvnSnatRule', type: 'snat', logical: '10.1.0.0/24', column: 'v4IpCidr' },
  rule,
);
