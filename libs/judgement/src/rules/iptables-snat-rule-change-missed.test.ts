import { object } from '../testing/builders';
import { testUnappliedChange } from '../testing/unapplied-change';
import { world } from '../testing/world-builder';
import rule from './iptables-snat-rule-change-missed';

const KIND = 'IptablesSnatRule';
const asks = (wanted: string, has: string) =>
  world(
    object(KIND, 'web', {
      spec: { internalCIDR: wanted },
      status: { internalCIDR: has, ready: true },
    }),
  );

testUnappliedChange(
  rule,
  { kind: KIND, field: 'internalCIDR', wanted: '10.50.0.0/25', has: '10.50.0.0/24' },
  {
    healthy: {
      'of both families the controller keeps that of IPv4': asks(
        '10.50.0.0/24,fd00::/64',
        '10.50.0.0/24',
      ),
      'the controller writes the length of a single address': asks('10.50.0.5', '10.50.0.5/32'),
    },
    violation: {
      'of both families that of IPv4 was changed': {
        given: asks('10.50.0.0/25,fd00::/64', '10.50.0.0/24'),
        summary:
          'IptablesSnatRule web asks for internalCIDR 10.50.0.0/25,fd00::/64 and still has 10.50.0.0/24: Kube-OVN has not carried out the change',
      },
    },
  },
);
