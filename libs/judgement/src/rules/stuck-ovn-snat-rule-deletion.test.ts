import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-ovn-snat-rule-deletion';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const given = { vpc: 'tenant', v4Eip: '198.51.100.9', v4IpCidr: '10.1.0.0/24' };
const rule1 = (
  status: Record<string, unknown> = given,
  metadata: Record<string, unknown> = going,
) => object('OvnSnatRule', 'r', { metadata, spec: { ovnEip: 'e' }, status });
const nat = (type = 'snat', logical = '10.1.0.0/24') =>
  row('NAT', '', {
    uid: 'nat',
    type,
    external_ip: '198.51.100.9',
    logical_ip: logical,
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:tenant', column: 'nat' }],
  });
const router = row('Logical_Router', 'tenant', { external_ids: { vendor: 'kube-ovn' } });
const tenant = object('Vpc', 'tenant');
const running = object('Deployment', 'kube-system/kube-ovn-controller');
const since = 'OvnSnatRule r has been terminating since 2026-01-01T00:00:00Z:';
const lost = `${since} its Vpc tenant no longer exists, nor does the router of that name, on which the controller looks for what it made`;
const nothing = `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until its next start`;
const left = `${since} its NAT has not been removed: NAT nat`;

testRule(rule, {
  healthy: { 'it is not being deleted': world(tenant, router, rule1(given, {})) },
  unknown: { 'rows are not read': world(rule1()).unlisted('NAT') },
  violation: {
    'its VPC and router went first (row 43)': {
      given: world(running, rule1()),
      says: lost,
      action: 'strip-finalizer',
    },
    'its VPC went, but its router is there': {
      given: world(running, router, nat(), rule1()),
      says: left,
      noRemedy: true,
    },
    'its NAT is left': {
      given: world(running, tenant, router, nat(), rule1()),
      says: left,
      noRemedy: true,
    },
    'its NAT is on another router than it says': {
      given: world(
        running,
        row('Logical_Router', 'other', {
          uid: 'Logical_Router:tenant',
          external_ids: { vendor: 'kube-ovn' },
        }),
        nat(),
        rule1(),
      ),
      says: `${lost}; its NAT has not been removed: NAT nat`,
      noRemedy: true,
    },
    'Kube-OVN was taken away, and its NAT is left': {
      given: world(tenant, router, nat(), rule1()),
      says: left,
      action: 'delete-nat',
    },
    'only a NAT of another sort has its address': {
      given: world(running, tenant, router, nat('dnat_and_snat'), rule1()),
      says: nothing,
      action: 'strip-finalizer',
    },
    'only a NAT for another address has its': {
      given: world(running, tenant, router, nat('snat', '10.9.0.9'), rule1()),
      says: nothing,
      action: 'strip-finalizer',
    },
    'it does not say which address it has': {
      given: world(running, rule1({ vpc: 'tenant' })),
      says: lost,
      noRemedy: true,
    },
    "its router is another vendor's": {
      given: world(
        tenant,
        row('Logical_Router', 'tenant', { external_ids: { 'neutron:router_name': 'x' } }),
        nat(),
        rule1(),
      ),
      says: left,
      noRemedy: true,
    },
    'an old finalizer is all that is left': {
      given: world(running, rule1(given, { ...going, finalizers: ['ovn.kubernetes.io/fip'] })),
      says: `${since} finalizer ovn.kubernetes.io/fip, which no controller removes any more; ${lost.slice(since.length + 1)}`,
      action: 'strip-finalizer',
    },
  },
});
