import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stale-policy-route';

const router = row('Logical_Router', 'ovn-cluster', { external_ids: { vendor: 'kube-ovn' } });
const at = (name: string) => ({
  kind: 'Logical_Router',
  uid: `Logical_Router:${name}`,
  column: 'policies',
});
const policy = (columns: Record<string, unknown> = {}) =>
  row('Logical_Router_Policy', '', {
    uid: 'policy',
    priority: 100,
    match: 'ip4.src == 10.1.0.0/24',
    action: 'reroute',
    external_ids: { vendor: 'kube-ovn' },
    _parents: [at('ovn-cluster')],
    ...columns,
  });
const vpc = (policyRoutes: unknown[] = [], over: Record<string, unknown> = {}) =>
  object('Vpc', 'ovn-cluster', { spec: { policyRoutes }, status: { default: true }, ...over });
const REQUESTED = { priority: 100, match: 'ip4.src == 10.1.0.0/24', action: 'allow' };

testRule(rule, {
  healthy: {
    'the spec asks for it': world(router, policy(), vpc([REQUESTED])),
    'it says what it is for': world(
      router,
      policy({ external_ids: { vendor: 'kube-ovn', subnet: 'web' } }),
      vpc(),
    ),
    'it is the interconnection’s': world(router, policy({ priority: 29500 }), vpc()),
    'somebody made it by hand': world(router, policy({ external_ids: {} }), vpc()),
    'it is on another VPC’s router, where the controller removes it': world(
      row('Logical_Router', 'tenant', { external_ids: { vendor: 'kube-ovn' } }),
      policy({ _parents: [at('tenant')] }),
      object('Vpc', 'tenant', { spec: {}, status: { default: false } }),
    ),
    'the router has no Vpc': world(router, policy()),
    'the Vpc is being deleted': world(
      router,
      policy(),
      vpc([], { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ),
    'two routers hold it': world(
      router,
      row('Logical_Router', 'edge', {}),
      policy({ _parents: [at('ovn-cluster'), at('edge')] }),
      vpc(),
    ),
    'the router is somebody else’s': world(
      row('Logical_Router', 'ovn-cluster', { external_ids: { 'neutron:router_name': 'r' } }),
      policy(),
      vpc(),
    ),
  },
  violation: {
    'it left the spec': {
      given: world(router, policy(), vpc([{ ...REQUESTED, priority: 101 }])),
      summary:
        'router policy 100 "ip4.src == 10.1.0.0/24" on ovn-cluster is not among the policyRoutes of Vpc ovn-cluster, and nothing else of Kube-OVN\'s says what it is for',
    },
    'the spec has another match': {
      given: world(router, policy(), vpc([{ ...REQUESTED, match: 'ip4.src == 10.2.0.0/24' }])),
      summary:
        'router policy 100 "ip4.src == 10.1.0.0/24" on ovn-cluster is not among the policyRoutes of Vpc ovn-cluster, and nothing else of Kube-OVN\'s says what it is for',
    },
  },
});
