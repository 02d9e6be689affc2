import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './ovn-snat-rule-without-nat';

const router = row('Logical_Router', 'tenant', {});
const nat = (logical: string, columns: Record<string, unknown> = {}) =>
  row('NAT', '', {
    uid: `nat-${logical}`,
    type: 'snat',
    external_ip: '198.51.100.12',
    logical_ip: logical,
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:tenant', column: 'nat' }],
    ...columns,
  });
const status = { v4Eip: '198.51.100.12', v4IpCidr: '10.60.0.0/24', vpc: 'tenant', ready: true };
const snat = (over: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) =>
  object('OvnSnatRule', 's', {
    spec: { ovnEip: 'e2' },
    status: { ...status, ...over },
    metadata,
  });
const says =
  'OvnSnatRule s is ready, and router tenant has no NAT snat of 198.51.100.12 for 10.60.0.0/24';

testRule(rule, {
  healthy: {
    'its NAT is there': world(router, snat(), nat('10.60.0.0/24')),
    'its NAT writes the network in another way': world(
      router,
      snat({ v4IpCidr: '10.60.0.1/24' }),
      nat('10.60.0.0/24'),
    ),
    'its NAT is for one address': world(router, snat({ v4IpCidr: '10.60.0.5' }), nat('10.60.0.5')),
    'it is not ready': world(router, snat({ ready: false })),
    'it is being deleted': world(router, snat({}, { deletionTimestamp: '2026-01-01T00:00:00Z' })),
    'it has no network yet': world(router, snat({ v4IpCidr: '' })),
  },
  unknown: { 'its router is gone': world(snat()) },
  violation: {
    'its NAT is gone': { given: world(router, snat()), summary: says },
    'its address has the NAT of another rule': {
      given: world(router, snat(), nat('10.60.1.0/24')),
      summary: says,
    },
    'its address has a floating NAT': {
      given: world(router, snat(), nat('10.60.0.0/24', { type: 'dnat_and_snat' })),
      summary: says,
    },
  },
});
