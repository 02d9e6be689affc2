import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './gateway-node-missing';

const router = row('Logical_Router', 'ovn-cluster', { external_ids: { vendor: 'kube-ovn' } });
const policy = (nodes: Record<string, string>, columns: Record<string, unknown> = {}) =>
  row('Logical_Router_Policy', '', {
    uid: 'policy',
    priority: 29000,
    match: 'ip4.src == 10.17.0.0/24',
    nexthops: ['100.64.0.2', '100.64.0.3'],
    external_ids: { vendor: 'kube-ovn', subnet: 'web', ...nodes },
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:ovn-cluster', column: 'policies' }],
    ...columns,
  });
const BOTH = { 'worker-1': '100.64.0.2', 'worker-2': '100.64.0.3' };
const subnet = object('Subnet', 'web');
const one = object('Node', 'worker-1');
const two = object('Node', 'worker-2');

testRule(rule, {
  healthy: {
    'both nodes exist': world(router, subnet, policy(BOTH), one, two),
    'it has one gateway, which is no key': world(router, subnet, policy({})),
    'it is of another priority': world(
      router,
      subnet,
      policy({ node: 'gone' }, { priority: 30000 }),
    ),
    'its subnet is gone: that is another finding': world(router, policy(BOTH)),
    'it is not Kube-OVN’s': world(
      router,
      subnet,
      policy(BOTH, { external_ids: { subnet: 'web', ...BOTH } }),
    ),
    'a key is none of a gateway’s form': world(
      router,
      subnet,
      policy({ ...BOTH, 'neutron:x': 'y' }),
      one,
    ),
    'a key names no next hop': world(router, subnet, policy({ 'worker-9': '100.64.0.9' }), one),
  },
  violation: {
    'one of two is gone': {
      given: world(router, subnet, policy(BOTH), one),
      summary:
        'traffic of Subnet web is sent to 100.64.0.3 of Node worker-2, which does not exist, beside one other',
      parts: ['external_ids=worker-2'],
    },
    'both are gone': {
      given: world(router, subnet, policy(BOTH)),
      summary: [
        'traffic of Subnet web is sent to 100.64.0.2 of Node worker-1, which does not exist, beside no other gateway',
        'traffic of Subnet web is sent to 100.64.0.3 of Node worker-2, which does not exist, beside no other gateway',
      ],
    },
    'one of three is gone': {
      given: world(
        router,
        subnet,
        policy(
          { ...BOTH, 'edge.dc2': '100.64.0.4' },
          { nexthops: ['100.64.0.2', '100.64.0.3', '100.64.0.4'] },
        ),
        one,
        two,
      ),
      summary:
        'traffic of Subnet web is sent to 100.64.0.4 of Node edge.dc2, which does not exist, beside 2 others',
    },
  },
});
