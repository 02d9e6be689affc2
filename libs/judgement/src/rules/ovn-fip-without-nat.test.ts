import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './ovn-fip-without-nat';

const router = (name = 'tenant') => row('Logical_Router', name, {});
const nat = (external: string, columns: Record<string, unknown> = {}) =>
  row('NAT', '', {
    uid: `nat-${external}`,
    type: 'dnat_and_snat',
    external_ip: external,
    logical_ip: '10.60.0.2',
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:tenant', column: 'nat' }],
    ...columns,
  });
const v4 = { v4Eip: '198.51.100.11', v4Ip: '10.60.0.2', vpc: 'tenant', ready: true };
const v6 = { v6Eip: '2001:db8:0::b', v6Ip: 'fd00:60::2' };
const fip = (status: Record<string, unknown> = v4, metadata: Record<string, unknown> = {}) =>
  object('OvnFip', 'f', { spec: { ovnEip: 'e1' }, status, metadata });
const says =
  'OvnFip f is ready, and router tenant has no NAT dnat_and_snat of 198.51.100.11 for 10.60.0.2';

testRule(rule, {
  healthy: {
    'its NAT is there': world(router(), fip(), nat('198.51.100.11')),
    'its NAT is there in both families': world(
      router(),
      fip({ ...v4, ...v6 }),
      nat('198.51.100.11'),
      nat('2001:db8::b', { logical_ip: 'fd00:60::2' }),
    ),
    'Neutron moved the MAC of its NAT': world(
      router(),
      fip(),
      nat('198.51.100.11', { external_ids: { 'neutron:fip_external_mac': '0a:00:00:00:00:01' } }),
    ),
    'it is not ready': world(router(), fip({ ...v4, ready: false })),
    'it has no status yet': world(router(), fip({})),
    'it does not say on which VPC it is': world(router(), fip({ ...v4, vpc: '' })),
    'its IPv6 half is not in its status': world(
      router(),
      fip({ ...v4, v6Eip: '2001:db8::b', v6Ip: '' }),
      nat('198.51.100.11'),
    ),
    'it leads from one family to the other': world(
      router(),
      fip({ v4Eip: '198.51.100.11', v4Ip: '', v6Ip: 'fd00:60::2', vpc: 'tenant', ready: true }),
    ),
    'it is being deleted': world(router(), fip(v4, { deletionTimestamp: '2026-01-01T00:00:00Z' })),
  },
  unknown: { 'its router is gone': world(fip()) },
  violation: {
    'its NAT is gone': { given: world(router(), fip(), nat('198.51.100.12')), summary: says },
    'its NAT is on another router': {
      given: world(
        router(),
        router('other'),
        fip(),
        nat('198.51.100.11', {
          _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:other', column: 'nat' }],
        }),
      ),
      summary: says,
    },
    'its address has a NAT of another type': {
      given: world(router(), fip(), nat('198.51.100.11', { type: 'snat' })),
      summary: says,
    },
    'the NAT of one family is gone': {
      given: world(router(), fip({ ...v4, ...v6 }), nat('198.51.100.11')),
      summary:
        'OvnFip f is ready, and router tenant has no NAT dnat_and_snat of 2001:db8:0::b for fd00:60::2',
    },
    'the NATs of both families are gone': {
      given: world(router(), fip({ ...v4, ...v6 })),
      summary: `${says}, nor 2001:db8:0::b for fd00:60::2`,
    },
  },
});
