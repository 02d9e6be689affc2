import { testUnappliedChange } from '../testing/unapplied-change';
import rule from './iptables-snat-rule-change-missed';

testUnappliedChange(rule, {
  kind: 'IptablesSnatRule',
  field: 'internalCIDR',
  wanted: '10.50.0.0/25',
  has: '10.50.0.0/24',
});
