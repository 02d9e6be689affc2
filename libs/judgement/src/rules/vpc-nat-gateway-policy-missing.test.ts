import { object } from '../testing/builders';
import { policy } from '../testing/monitored-gateway';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './vpc-nat-gateway-policy-missing';

const OF_NAT = { vendor: 'kube-ovn', 'vpc-nat-gateway': 'nat', af: '4' };
const gateway = (over: Record<string, Record<string, unknown>> = {}) =>
  object('VpcNatGateway', 'nat', {
    spec: { subnet: 'lan', replicas: 2, internalSubnets: ['apps'], ...over['spec'] },
    status: { ready: true, workload: { kind: 'Deployment' }, ...over['status'] },
    metadata: over['metadata'] ?? {},
  });
const subnet = (name: string, cidrBlock: string) => object('Subnet', name, { spec: { cidrBlock } });
const lan = subnet('lan', '10.50.0.0/24');
const apps = subnet('apps', '10.60.0.0/24');
const to = (block: string, priority = 29200) =>
  policy(`${priority} ${block}`, [], { priority, match: `ip4.src == ${block}` }, OF_NAT);
const says = (what: string) =>
  `VpcNatGateway nat is ready, and one of its router policies is missing: ${what}`;

testRule(rule, {
  healthy: {
    'it has a policy for its network': world(gateway(), lan, apps, to('10.60.0.0/24')),
    'in another spelling': world(
      gateway({ spec: { internalSubnets: [], internalCIDRs: ['10.60.0.9/24'] } }),
      lan,
      to('10.60.0.9/24'),
    ),
    'with BFD it has one that drops, too': world(
      gateway({ spec: { bfd: { enabled: true } } }),
      lan,
      apps,
      to('10.60.0.0/24'),
      to('10.60.0.0/24', 29190),
    ),
    'its pods have IPv4 addresses, its network none': world(
      gateway(),
      subnet('lan', 'fd00:50::/64,10.50.0.0/24'),
      subnet('apps', 'fd00:60::/64'),
    ),
    'it has one replica': world(gateway({ spec: { replicas: 1 } }), lan, apps),
    'it is of a release that runs gateways otherwise': world(
      gateway({ status: { workload: { kind: 'StatefulSet' } } }),
      lan,
      apps,
    ),
    'it has no internal networks': world(gateway({ spec: { internalSubnets: [] } }), lan),
    'its network is gone': world(gateway(), lan),
    'its subnet is gone': world(gateway(), apps),
    'it is not ready': world(gateway({ status: { ready: false } }), lan, apps),
    'it is being deleted': world(
      gateway({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      lan,
      apps,
    ),
  },
  violation: {
    'the Vpc was reconciled, which removed it': {
      given: world(
        gateway(),
        lan,
        apps,
        to('10.61.0.0/24'),
        policy('other', [], { priority: 29200, match: 'ip4.src == 10.60.0.0/24' }),
      ),
      summary: says('29200 ip4.src == 10.60.0.0/24'),
      parts: ['Logical_Router_Policy=29200 ip4.src == 10.60.0.0/24'],
      concerns: ['lan'],
    },
    'that which drops is gone': {
      given: world(gateway({ spec: { bfd: { enabled: true } } }), lan, apps, to('10.60.0.0/24')),
      summary: says('29190 ip4.src == 10.60.0.0/24'),
    },
    'its pods have IPv6 addresses only': {
      given: world(
        gateway(),
        subnet('lan', 'fd00:50::/64'),
        subnet('apps', '10.60.0.0/24,fd00:60::/64'),
      ),
      summary: says('29200 ip6.src == fd00:60::/64'),
    },
  },
});
