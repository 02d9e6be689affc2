import { object, port, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-logical-router';

const router = (external_ids: Record<string, string> = { vendor: 'kube-ovn' }) =>
  row('Logical_Router', 'tenant', { external_ids });

testRule(rule, {
  healthy: {
    'its Vpc is there': world(router(), object('Vpc', 'tenant')),
    'a controller is there, whose affair it is': world(
      router(),
      object('Pod', 'kube-system/x', { metadata: { labels: { app: 'kube-ovn-controller' } } }),
    ),
    "it is Neutron's": world(router({ 'neutron:router_name': 'x' })),
    'nobody says whose it is': world(router({})),
    "a NAT of nobody's is on it": world(
      router(),
      row('NAT', '', {
        external_ip: '198.51.100.9',
        _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:tenant', column: 'nat' }],
      }),
    ),
  },
  unknown: {
    'a Subnet names its Vpc': world(router(), object('Subnet', 'web', { spec: { vpc: 'tenant' } })),
    'chassis hold ports up, so the network is in use': world(
      router(),
      port('db-0.shop', { up: true }),
    ),
  },
  violation: {
    'Kube-OVN was taken away': {
      given: world(router()),
      summary:
        'router tenant is of Vpc tenant, which no longer exists, and no Kube-OVN controller is left to remove it',
    },
  },
});
