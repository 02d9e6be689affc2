import { object } from '../testing/builders';
import { testUnappliedChange } from '../testing/unapplied-change';
import { world } from '../testing/world-builder';
import rule from './ovn-snat-rule-change-ignored';

const KIND = 'OvnSnatRule';
const from = (spec: Record<string, unknown>) =>
  world(
    object(KIND, 'web', {
      spec: { v4IpCidr: '10.60.0.0/25', ...spec },
      status: { v4IpCidr: '10.60.0.0/24', ready: true },
    }),
  );

testUnappliedChange(
  rule,
  { kind: KIND, field: 'v4IpCidr', wanted: '10.60.0.0/25', has: '10.60.0.0/24' },
  {
    healthy: {
      'its CIDR is that of a Subnet': from({ vpcSubnet: 'web' }),
      'its CIDR is that of an IP object': from({ ipName: 'web-0.shop' }),
    },
    violation: {
      'its IPv6 CIDR was changed': {
        given: world(
          object(KIND, 'web', {
            spec: { v6IpCidr: 'fd00:1::/64' },
            status: { v6IpCidr: 'fd00::/64', ready: true },
          }),
        ),
        summary:
          'OvnSnatRule web asks for v6IpCidr fd00:1::/64 and still has fd00::/64: Kube-OVN has not carried out the change',
      },
    },
  },
);
