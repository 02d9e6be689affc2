import { ip, logicalSwitch, object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stale-static-route';

const router = row('Logical_Router', 'tenant', { external_ids: { vendor: 'kube-ovn' } });
const vpc = (staticRoutes: unknown[] = []) => object('Vpc', 'tenant', { spec: { staticRoutes } });
const route = (ip_prefix: string, nexthop: string, columns: Record<string, unknown> = {}) =>
  row('Logical_Router_Static_Route', '', {
    uid: 'route',
    ip_prefix,
    nexthop,
    policy: 'src-ip',
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:tenant', column: 'static_routes' }],
    ...columns,
  });
const OF_SUBNET = ['10.17.0.0/24', '10.17.0.1'] as const;
const OF_POD = ['10.17.0.10', '198.51.100.1'] as const;
const subnet = object('Subnet', 'apps', {
  spec: { vpc: 'tenant', cidrBlock: '10.17.0.0/24', gateway: '10.17.0.1', excludeIps: [] },
  status: { v4usingIPrange: '10.17.0.20' },
});
const routerPort = (networks: string[]) =>
  row('Logical_Router_Port', 'tenant-lan', {
    networks,
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:tenant', column: 'ports' }],
  });
const NETWORKS = [
  '10.17.0.1/24',
  '10.18.0.254/24',
  '198.51.100.9/24',
  '100.64.0.1/16',
  'fd00::9/64',
];
const SCENE = [router, vpc(), routerPort(NETWORKS)];
const NOWHERE =
  "static route on tenant to 192.168.0.0/16 by 10.99.0.1 has no key of Kube-OVN's and is in no spec, and no port of tenant and no Subnet has a network with its next hop: OVN makes no flow of it";
const ELSEWHERE = ['192.168.0.0/16', '10.99.0.1'] as const;
const byDestination = (columns: Record<string, unknown> = {}) =>
  route(...ELSEWHERE, { policy: undefined, ...columns });
const block = (cidrBlock: string, inVpc = 'tenant') =>
  object('Subnet', 'lan', { spec: { vpc: inVpc, cidrBlock } });

testRule(rule, {
  healthy: {
    'its subnet exists': world(...SCENE, subnet, route(...OF_SUBNET)),
    'its subnet exists, written otherwise': world(
      ...SCENE,
      subnet,
      route('10.17.0.9/24', '10.17.0.1'),
    ),
    'it has Kube-OVN’s tag': world(
      ...SCENE,
      route(...OF_SUBNET, { external_ids: { vendor: 'kube-ovn' } }),
    ),
    'it is by destination': world(...SCENE, route(...OF_SUBNET, { policy: 'dst-ip' })),
    'it is by destination, which is not said': world(
      ...SCENE,
      route(...OF_SUBNET, { policy: undefined }),
    ),
    'the spec asks for it': world(
      router,
      vpc([{ cidr: '10.17.0.0/24', nextHopIP: '10.17.0.1', policy: 'policySrc' }]),
      route(...OF_SUBNET),
    ),
    'it leads out of the block, as a person has it': world(
      ...SCENE,
      route('10.17.0.0/24', '10.18.0.1'),
    ),
    'its next hop is of another family': world(...SCENE, route('10.17.0.0/24', 'fd00::1')),
    'it is for all there is': world(...SCENE, subnet, route('10.0.0.0/8', '100.64.0.1')),
    'its address is somebody’s': world(
      ...SCENE,
      subnet,
      logicalSwitch('apps'),
      ip('web-0.shop'),
      route(...OF_POD),
    ),
    'its address is of no subnet': world(...SCENE, logicalSwitch('apps'), route(...OF_POD)),
    'its next hop is in a network of a port': world(
      router,
      vpc(),
      routerPort(['fd00::1/64', '10.99.0.2/30']),
      byDestination(),
    ),
    'its next hop is in a Subnet of the VPC, whose router port is missing': world(
      ...SCENE,
      block('fd00::/64,10.99.0.0/16'),
      byDestination(),
    ),
    'its next hop is in a Subnet of the default VPC': world(
      ...SCENE,
      block('10.99.0.0/16', 'ovn-cluster'),
      byDestination(),
    ),
    'its next hop is link-local': world(...SCENE, byDestination({ nexthop: 'fe80::1' })),
    'it names a port': world(...SCENE, byDestination({ output_port: 'tenant-lan' })),
    'it discards': world(...SCENE, byDestination({ nexthop: 'discard' })),
    'it leads nowhere, and the spec asks for it': world(
      router,
      vpc([{ cidr: '192.168.0.0/16', nextHopIP: '10.99.0.1' }]),
      byDestination(),
    ),
    'it leads nowhere, and has Kube-OVN’s tag': world(
      ...SCENE,
      byDestination({ external_ids: { vendor: 'kube-ovn' } }),
    ),
    'it leads nowhere, on a router that is not Kube-OVN’s': world(
      row('Logical_Router', 'tenant', {}),
      vpc(),
      byDestination(),
    ),
    'the router has no Vpc': world(router, route(...OF_SUBNET)),
    'the router is not Kube-OVN’s': world(
      row('Logical_Router', 'tenant', {}),
      vpc(),
      route(...OF_SUBNET),
    ),
  },
  violation: {
    'its subnet is gone': {
      given: world(
        ...SCENE,
        object('Subnet', 'other', { spec: { vpc: 'b', cidrBlock: '10.17.0.0/24' } }),
        route(...OF_SUBNET),
      ),
      summary:
        "static route on tenant from 10.17.0.0/24 by 10.17.0.1 has no key of Kube-OVN's and is in no spec, and no Subnet of its VPC has that block",
    },
    'its next hop is in no network': { given: world(...SCENE, byDestination()), summary: NOWHERE },
    'its next hop is in a network of another router': {
      given: world(
        ...SCENE,
        row('Logical_Router_Port', 'other', {
          networks: ['10.99.0.9/24'],
          _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:other', column: 'ports' }],
        }),
        block('10.99.0.0/24', 'other'),
        byDestination(),
      ),
      summary: NOWHERE,
    },
    'its IPv6 next hop is in no network': {
      given: world(...SCENE, route('2001:db8::/64', 'fd00:9::1', { policy: 'dst-ip' })),
      summary:
        "static route on tenant to 2001:db8::/64 by fd00:9::1 has no key of Kube-OVN's and is in no spec, and no port of tenant and no Subnet has a network with its next hop: OVN makes no flow of it",
    },
    'it leads out of the block to nowhere': {
      given: world(...SCENE, subnet, route('10.17.0.0/16', '10.99.0.1')),
      summary:
        "static route on tenant from 10.17.0.0/16 by 10.99.0.1 has no key of Kube-OVN's and is in no spec, and no port of tenant and no Subnet has a network with its next hop: OVN makes no flow of it",
    },
    'its IPv6 subnet is gone': {
      given: world(...SCENE, route('fd00:1::/64', 'fd00:1::1')),
      summary:
        "static route on tenant from fd00:1::/64 by fd00:1::1 has no key of Kube-OVN's and is in no spec, and no Subnet of its VPC has that block",
    },
    'nobody has its address': {
      given: world(...SCENE, subnet, logicalSwitch('apps'), route(...OF_POD)),
      summary:
        "static route on tenant from 10.17.0.10 by 198.51.100.1 has no key of Kube-OVN's and is in no spec, and no record and no port has that address of subnet apps",
    },
    'nobody has its address, written as a block': {
      given: world(...SCENE, subnet, logicalSwitch('apps'), route('10.17.0.10/32', '198.51.100.1')),
      summary:
        "static route on tenant from 10.17.0.10/32 by 198.51.100.1 has no key of Kube-OVN's and is in no spec, and no record and no port has that address of subnet apps",
    },
  },
});
