import { object, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-bfd';

const session = (
  ids: Record<string, string> = { vendor: 'kube-ovn', 'vpc-egress-gateway': 'shop/out', af: '4' },
  columns: Record<string, unknown> = {},
): Built<'BFD'> =>
  row('BFD', '', {
    uid: 'bfd',
    logical_port: 'bfd@blue',
    dst_ip: '10.60.0.9',
    external_ids: ids,
    ...columns,
  });
const says =
  'the BFD session to 10.60.0.9 on bfd@blue is of VpcEgressGateway shop/out, which no longer exists';

testRule(rule, {
  healthy: {
    'its gateway is there': world(session(), object('VpcEgressGateway', 'shop/out')),
    'its NAT gateway is there': world(
      session({ vendor: 'kube-ovn', 'vpc-nat-gateway': 'gw', af: '4' }),
      object('VpcNatGateway', 'gw'),
    ),
    'it names two gateways, and one is there': world(
      session({
        vendor: 'kube-ovn',
        'vpc-egress-gateway': 'shop/out',
        'vpc-nat-gateway': 'gw',
        af: '4',
      }),
      object('VpcNatGateway', 'gw'),
    ),
    'it names no gateway': world(session({ vendor: 'kube-ovn', af: '4' })),
    'it has no tag': world(session({ 'vpc-egress-gateway': 'shop/out', af: '4' })),
    'its family is not that of its key': world(
      session({ vendor: 'kube-ovn', 'vpc-egress-gateway': 'shop/out', af: '6' }),
    ),
    "a route of somebody else's follows it": world(
      session(),
      row('Logical_Router_Static_Route', '', {
        uid: 'route',
        ip_prefix: '0.0.0.0/0',
        nexthop: '10.60.0.9',
        bfd: 'bfd',
      }),
    ),
    "it is on a port of somebody else's": world(
      session(undefined, { logical_port: 'lrp-8f3a1c2e-0b5d-4e6f-9a7b-1c2d3e4f5a6b' }),
    ),
  },
  unknown: {
    'a policy follows it': world(
      session(),
      row('Logical_Router_Policy', '', {
        uid: 'policy',
        priority: 29100,
        match: 'ip4',
        action: 'reroute',
        bfd_sessions: ['bfd'],
        external_ids: { vendor: 'kube-ovn' },
      }),
    ),
    'a route follows it': world(
      session(),
      row('Logical_Router_Static_Route', '', {
        uid: 'route',
        ip_prefix: '0.0.0.0/0',
        nexthop: '10.60.0.9',
        bfd: 'bfd',
        external_ids: { vendor: 'kube-ovn' },
      }),
    ),
  },
  violation: {
    'its gateway is gone': {
      given: world(session(), object('VpcEgressGateway', 'shop/other')),
      summary: says,
    },
    'gateways are not installed any more': {
      given: world(session()).notInstalled('VpcEgressGateway'),
      summary: says,
    },
    'its NAT gateway is gone': {
      given: world(session({ vendor: 'kube-ovn', 'vpc-nat-gateway': 'gw', af: '4' })),
      summary:
        'the BFD session to 10.60.0.9 on bfd@blue is of VpcNatGateway gw, which no longer exists',
    },
  },
});
