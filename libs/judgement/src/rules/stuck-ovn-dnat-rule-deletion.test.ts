import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-ovn-dnat-rule-deletion';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const dnat = (metadata: Record<string, unknown> = going) =>
  object('OvnDnatRule', 'web', {
    metadata,
    spec: { ovnEip: 'e' },
    status: { vpc: 'tenant', v4Eip: '198.51.100.9' },
  });
const tenant = object('Vpc', 'tenant');
const router = row('Logical_Router', 'tenant', { external_ids: { vendor: 'kube-ovn' } });
const running = object('Deployment', 'kube-system/kube-ovn-controller');
const since = 'OvnDnatRule web has been terminating since 2026-01-01T00:00:00Z:';
const missing = 'there is no load balancer web, which the controller wants to remove';

testRule(rule, {
  healthy: { 'it is not being deleted': world(tenant, router, dnat({})) },
  unknown: { 'rows are not read': world(tenant, dnat()).unlisted('Load_Balancer') },
  violation: {
    'its load balancer went first (row 57)': {
      given: world(tenant, router, dnat()),
      summary: `${since} ${missing}`,
      action: 'strip-finalizer',
    },
    'its load balancer is there': {
      given: world(running, tenant, router, dnat(), row('Load_Balancer', 'web')),
      summary: `${since} its load balancer has not been removed: Load_Balancer web`,
      noRemedy: true,
    },
    'Kube-OVN was taken away, and its load balancer is left': {
      given: world(
        tenant,
        { ...router, object: { ...router.object, load_balancer: ['Load_Balancer:web'] } },
        dnat(),
        row('Load_Balancer', 'web', {
          external_ids: { vendor: 'kube-ovn' },
          vips: { '198.51.100.9:80': '10.1.0.5:80' },
        }),
      ),
      summary: `${since} its load balancer has not been removed: Load_Balancer web`,
      action: 'delete-load-balancer',
    },
    "a load balancer of its name is somebody else's": {
      given: world(
        tenant,
        router,
        dnat(),
        row('Load_Balancer', 'web', { external_ids: { 'neutron:x': 'y' } }),
      ),
      summary: `${since} its load balancer has not been removed: Load_Balancer web`,
      noRemedy: true,
    },
    'its VPC went first': {
      given: world(running, dnat(), row('Load_Balancer', 'web')),
      summary: `${since} its Vpc tenant no longer exists, nor does the router of that name, on which the controller looks for what it made; its load balancer has not been removed: Load_Balancer web`,
      noRemedy: true,
    },
  },
});
