import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './static-routes-replace-each-other';

const route = (nextHopIP: string, more: Record<string, unknown> = {}) => ({
  cidr: '10.9.0.0/16',
  policy: 'policyDst',
  nextHopIP,
  ...more,
});
const vpc = (staticRoutes: unknown[], metadata: Record<string, unknown> = {}) =>
  world(object('Vpc', 'tenant', { metadata, spec: { staticRoutes } }));
/** The default VPC, and what its Nodes are on. */
const joined = (staticRoutes: unknown[], ...subnets: string[]) =>
  world(
    object('Vpc', 'ovn-cluster', { spec: { staticRoutes }, status: { default: true } }),
    object('Subnet', 'join', { spec: { vpc: 'ovn-cluster', gateway: '100.64.0.1,fd00:100::1' } }),
    object('Subnet', 'apps', { spec: { vpc: 'ovn-cluster', gateway: '10.17.0.1' } }),
    ...subnets.map((subnet) =>
      object('Node', `on-${subnet}`, {
        metadata: { annotations: { 'ovn.kubernetes.io/logical_switch': subnet } },
      }),
    ),
  );
const toAll = (nextHopIP: string, more: Record<string, unknown> = {}) =>
  route(nextHopIP, { cidr: '0.0.0.0/0', ...more });
const BOTH = [route('10.0.0.1'), route('10.0.0.2')];

testRule(rule, {
  healthy: {
    'it has none': world(object('Vpc', 'tenant', { spec: {} }), object('Vpc', 'bare')),
    'each is for a prefix of its own': vpc([
      route('10.0.0.1'),
      route('10.0.0.2', { cidr: '10.8.0.0/16' }),
    ]),
    'the same is there twice': vpc([route('10.0.0.1'), route('10.0.0.1')]),
    'one is by source': vpc([route('10.0.0.1'), route('10.0.0.2', { policy: 'policySrc' })]),
    'one is in another table': vpc([route('10.0.0.1'), route('10.0.0.2', { routeTable: 'rt' })]),
    'each has a BFD session': vpc([
      route('10.0.0.1', { bfdId: 'one', ecmpMode: 'ecmp_symmetric_reply' }),
      route('10.0.0.2', { bfdId: 'two', ecmpMode: 'ecmp_symmetric_reply' }),
    ]),
    'it is being deleted': vpc(BOTH, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    'the default route is the one to the join network': joined([toAll('100.64.0.1')], 'join'),
    'the join network has no gateway of the family': joined(
      [toAll('fd00::9', { cidr: '::/0' })],
      'apps',
    ),
    'it is by source': joined([toAll('10.0.0.1', { policy: 'policySrc' })], 'join'),
    'it is for a part': joined([route('10.0.0.1')], 'join'),
    'no Node says which network they are on': joined([toAll('10.0.0.1')], ''),
    'Nodes are on two networks': joined([toAll('10.0.0.1')], 'join', 'apps'),
    'Nodes are on a network that does not exist': joined([toAll('10.0.0.1')], 'gone'),
    'it is the default route of another VPC': world(
      object('Vpc', 'tenant', { spec: { staticRoutes: [toAll('10.0.0.1')] } }),
      object('Subnet', 'join', { spec: { vpc: 'tenant', gateway: '100.64.0.1' } }),
      object('Node', 'a', {
        metadata: { annotations: { 'ovn.kubernetes.io/logical_switch': 'join' } },
      }),
    ),
    'which Nodes there are is not known': joined([toAll('10.0.0.1')], 'join').unheardOf('Node'),
    'it mirrors a router of somebody else': vpc(BOTH, {
      labels: { 'ovn.kubernetes.io/vpc_external': 'true' },
    }),
  },
  violation: {
    'two next hops for one prefix': {
      given: vpc(BOTH),
      summary:
        'Vpc tenant asks for static routes to 10.9.0.0/16 by 10.0.0.1 and 10.0.0.2, which replace each other',
      parts: ['spec.staticRoutes=10.9.0.0/16'],
    },
    'one says its policy, the other leaves it out': {
      given: vpc([route('10.0.0.2', { policy: '' }), route('10.0.0.1')]),
      summary:
        'Vpc tenant asks for static routes to 10.9.0.0/16 by 10.0.0.1 and 10.0.0.2, which replace each other',
    },
    'the default route against that to the join network': {
      given: joined([toAll('10.0.0.1')], 'join'),
      summary:
        'Vpc ovn-cluster asks for static routes to 0.0.0.0/0 by 10.0.0.1, and Kube-OVN adds one by 100.64.0.1 of Subnet join: they replace each other',
      parts: ['spec.staticRoutes=0.0.0.0/0'],
      concerns: ['join'],
    },
    'the same with sessions, in a table and of IPv6, among several': {
      given: joined(
        [
          toAll('fd00::1', { cidr: '::/0', policy: '', routeTable: 'rt', bfdId: 'one' }),
          toAll('fd00::2', { cidr: '::/0', routeTable: 'rt', bfdId: 'two' }),
          toAll('fd00:100::1', { cidr: '::/0' }),
        ],
        'join',
        'join2',
      ),
      summary:
        'Vpc ovn-cluster asks for static routes to ::/0 in table rt by fd00::1 and fd00::2, and Kube-OVN adds one by fd00:100::1 of Subnet join: they replace each other',
    },
    'one of two with sessions goes to the join network': {
      given: joined(
        [toAll('100.64.0.1', { bfdId: 'one' }), toAll('10.0.0.1', { bfdId: 'two' })],
        'join',
      ),
      summary:
        'Vpc ovn-cluster asks for static routes to 0.0.0.0/0 by 10.0.0.1 and 100.64.0.1, and Kube-OVN adds one by 100.64.0.1 of Subnet join: they replace each other',
    },
    'only one has a BFD session': {
      given: vpc([route('10.0.0.1', { bfdId: 'one' }), route('10.0.0.2', { bfdId: '' })]),
      summary:
        'Vpc tenant asks for static routes to 10.9.0.0/16 by 10.0.0.1 and 10.0.0.2, which replace each other',
    },
    'both have the same session': {
      given: vpc([route('10.0.0.1', { bfdId: 'one' }), route('10.0.0.2', { bfdId: 'one' })]),
      summary:
        'Vpc tenant asks for static routes to 10.9.0.0/16 by 10.0.0.1 and 10.0.0.2, which replace each other',
    },
    'by source, in a table, and again in the main one': {
      given: vpc([
        route('10.0.0.1', { policy: 'policySrc', routeTable: 'rt' }),
        route('10.0.0.2', { policy: 'policySrc', routeTable: 'rt' }),
        ...BOTH,
      ]),
      summary: [
        'Vpc tenant asks for static routes to 10.9.0.0/16 (by source) in table rt by 10.0.0.1 and 10.0.0.2, which replace each other',
        'Vpc tenant asks for static routes to 10.9.0.0/16 by 10.0.0.1 and 10.0.0.2, which replace each other',
      ],
    },
  },
});
