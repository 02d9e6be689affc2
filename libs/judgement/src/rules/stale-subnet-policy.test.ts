import { object, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stale-subnet-policy';

const router = (name = 'ovn-cluster') =>
  row('Logical_Router', name, { external_ids: { vendor: 'kube-ovn' } });
const vpc = (name = 'ovn-cluster', over: Record<string, unknown> = {}) =>
  object('Vpc', name, { status: { default: name === 'ovn-cluster' }, ...over });
const policy = (
  uid: string,
  priority: number,
  match: string,
  ids: Record<string, string> = {},
  at = 'ovn-cluster',
): Built<'Logical_Router_Policy'> =>
  row('Logical_Router_Policy', '', {
    uid,
    priority,
    match,
    action: priority === 29_000 ? 'reroute' : 'allow',
    nexthops: Object.values(ids).filter((it) => it.includes('::') || it.startsWith('100.64.')),
    external_ids: { vendor: 'kube-ovn', subnet: 'apps', ...ids },
    _parents: [{ kind: 'Logical_Router', uid: `Logical_Router:${at}`, column: 'policies' }],
  });
const subnet = (
  spec: Record<string, unknown> = {},
  over: Record<string, unknown> = {},
): Built<'Subnet'> =>
  object('Subnet', 'apps', {
    spec: {
      vpc: 'ovn-cluster',
      cidrBlock: '10.18.0.0/24',
      gatewayType: 'distributed',
      ...spec,
    },
    ...over,
  });
const TO_NOW = policy('now', 31_000, 'ip4.dst == 10.18.0.0/24');
const OF_NODE = policy('node', 29_000, 'ip4.src == $apps.worker.1_ip4', { node: 'worker-1' });
const SCENE = [router(), vpc(), subnet(), TO_NOW, OF_NODE];
const to = (block: string, ids: Record<string, string> = {}, at?: string) =>
  policy('policy', 31_000, `ip${block.includes(':') ? 6 : 4}.dst == ${block}`, ids, at);
const from = (block: string, ids: Record<string, string> = {}, at?: string) =>
  policy('policy', 29_000, `ip${block.includes(':') ? 6 : 4}.src == ${block}`, ids, at);
const U2O = { isU2ORoutePolicy: 'true' };
const moved = subnet({ vpc: 'tenant' });
const ofTenant = [
  router(),
  vpc(),
  router('tenant'),
  vpc('tenant'),
  policy('now', 31_000, 'ip4.dst == 10.18.0.0/24', {}, 'tenant'),
];
const interconnected = (status: Record<string, unknown>) =>
  subnet({ vpc: 'tenant', vlan: 'v', u2oInterconnection: true }, { status });
const underlay = (spec: Record<string, unknown> = {}, status: Record<string, unknown> = {}) =>
  subnet({ vlan: 'v', ...spec }, { status });
const port = row('Logical_Router_Port', 'ovn-cluster-apps', { uid: 'port' });
const joined = { u2oInterconnection: true };
const toPhysical = policy('u2o', 29_000, 'ip4.src == 10.18.0.0/24', U2O);
const says = (rule: string, what: string, at = 'ovn-cluster') =>
  `router policy ${rule} on ${at} was made for Subnet apps, which ${what}`;

testRule(rule, {
  healthy: {
    'its subnet has the block': world(...SCENE),
    'its subnet has the block, in another spelling': world(
      router(),
      vpc(),
      subnet({ cidrBlock: '10.18.0.0/24,fd00:0::/64' }),
      TO_NOW,
      policy('six', 31_000, 'ip6.dst == fd00:0::/64'),
      from('fd00::/64'),
    ),
    'the controller has not allowed the new block yet': world(
      router(),
      vpc(),
      subnet(),
      to('10.17.0.0/24'),
    ),
    'it has allowed one of two new blocks': world(
      router(),
      vpc(),
      subnet({ cidrBlock: '10.18.0.0/24,fd00::/64' }),
      TO_NOW,
      to('10.17.0.0/24'),
    ),
    'the new router does not allow the block yet': world(
      ...ofTenant.slice(0, -1),
      moved,
      to('10.18.0.0/24'),
    ),
    'its gateway is centralized': world(
      router(),
      vpc(),
      subnet({ gatewayType: 'centralized' }),
      TO_NOW,
      from('10.18.0.0/24', { 'worker-1': '100.64.0.2' }),
    ),
    'its gateway is distributed, and no node has a policy yet': world(
      router(),
      vpc(),
      subnet(),
      TO_NOW,
      from('10.18.0.0/24'),
    ),
    'it is of the interconnection of an underlay, whatever the type of its gateway': world(
      ...SCENE,
      from('10.18.0.0/24', U2O),
    ),
    'it is of an interconnection, which the controller has not moved yet': world(
      ...ofTenant,
      interconnected({ u2oInterconnectionVPC: 'ovn-cluster' }),
      from('10.18.0.0/24', U2O),
    ),
    'its underlay has a logical gateway': world(
      ...[router(), vpc(), underlay({ logicalGateway: true }), TO_NOW, OF_NODE, toPhysical],
    ),
    'its underlay had a logical gateway until now: its port is still there': world(
      ...[router(), vpc(), underlay(), TO_NOW, OF_NODE, port],
    ),
    'the interconnection of its underlay is not made yet': world(
      ...[router(), vpc(), underlay(joined), TO_NOW, OF_NODE, port],
    ),
    'the interconnection of its underlay has no policies yet': world(
      ...[router(), vpc(), underlay(joined, { u2oInterconnectionVPC: 'ovn-cluster' }), OF_NODE],
    ),
    'it is of the interconnection of an underlay without a logical gateway': world(
      ...[router(), vpc(), underlay(joined, { u2oInterconnectionVPC: 'ovn-cluster' }), toPhysical],
    ),
    'its underlay is in a VPC of its own, which asks for it too': world(
      ...[router('tenant'), vpc('tenant'), underlay({ vpc: 'tenant', ...joined })],
      policy('policy', 31_000, 'ip4.dst == 10.18.0.0/24', {}, 'tenant'),
    ),
    'another subnet of the VPC has the block': world(
      ...SCENE,
      object('Subnet', 'data', { spec: { cidrBlock: '10.17.0.0/24' } }),
      to('10.17.0.0/24'),
    ),
    'the spec of the Vpc asks for it': world(
      router(),
      vpc('ovn-cluster', {
        spec: { policyRoutes: [{ priority: 31_000, match: 'ip4.dst == 10.17.0.0/24' }] },
      }),
      subnet(),
      TO_NOW,
      to('10.17.0.0/24'),
    ),
    'its subnet is gone: that is another finding': world(
      router(),
      vpc(),
      TO_NOW,
      to('10.17.0.0/24'),
    ),
    'its subnet is being deleted': world(
      router(),
      vpc(),
      subnet({}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      TO_NOW,
      to('10.17.0.0/24'),
    ),
    'its router is of no Vpc': world(router(), subnet(), TO_NOW, to('10.17.0.0/24')),
    'it is of one address': world(...SCENE, policy('policy', 29_250, 'ip4.src == 10.17.0.9')),
    'it has no tag of Kube-OVN’s': world(...SCENE, to('10.17.0.0/24', { vendor: '' })),
    'it has a key of others': world(...SCENE, to('10.17.0.0/24', { 'neutron:x': 'y' })),
    'the blocks of its subnet cannot be read': world(
      router(),
      vpc(),
      subnet({ cidrBlock: '10.18.0' }),
      to('10.17.0.0/24'),
    ),
  },
  violation: {
    'its subnet has another block now': {
      given: world(...SCENE, to('10.17.0.0/24')),
      summary: says('31000 "ip4.dst == 10.17.0.0/24"', 'has 10.18.0.0/24 now'),
      concerns: ['apps'],
    },
    'its subnet lost a family': {
      given: world(...SCENE, from('fd00::/64', { 'worker-1': 'fd00:100::2' })),
      summary: says('29000 "ip6.src == fd00::/64"', 'has 10.18.0.0/24 now'),
    },
    'its subnet was moved to another VPC': {
      given: world(...ofTenant, moved, to('10.18.0.0/24')),
      summary: says('31000 "ip4.dst == 10.18.0.0/24"', 'is in Vpc tenant now'),
    },
    'its interconnected subnet was moved to another VPC': {
      given: world(
        ...ofTenant.slice(0, -1),
        interconnected({ u2oInterconnectionVPC: 'tenant' }),
        policy('policy', 29_400, 'ip4.dst == 10.18.0.0/24', U2O),
      ),
      summary: says('29400 "ip4.dst == 10.18.0.0/24"', 'is in Vpc tenant now'),
    },
    'its underlay has no logical gateway any more': {
      given: world(router(), vpc(), underlay(), OF_NODE),
      summary: says('29000 "ip4.src == $apps.worker.1_ip4"', 'has no logical gateway any more'),
      concerns: ['apps'],
    },
    'its underlay is interconnected, and has no logical gateway any more': {
      given: world(
        ...[router(), vpc(), underlay(joined, { u2oInterconnectionVPC: 'ovn-cluster' })],
        ...[port, toPhysical, to('10.18.0.0/24')],
      ),
      summary: says('31000 "ip4.dst == 10.18.0.0/24"', 'has no logical gateway any more'),
    },
    'its gateway was centralized': {
      given: world(...SCENE, from('10.18.0.0/24', { 'worker-1': '100.64.0.2' })),
      summary: says('29000 "ip4.src == 10.18.0.0/24"', 'has a distributed gateway now'),
    },
  },
});
