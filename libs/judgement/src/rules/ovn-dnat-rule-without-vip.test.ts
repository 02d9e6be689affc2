import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './ovn-dnat-rule-without-vip';

const balancer = (name: string, vips: Record<string, string>, columns: object = {}) =>
  row('Load_Balancer', name, { vips, ...columns });
const status = {
  v4Eip: '198.51.100.13',
  v4Ip: '10.60.0.3',
  externalPort: '80',
  protocol: 'tcp',
  vpc: 'tenant',
  ready: true,
};
const dnat = (over: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) =>
  object('OvnDnatRule', 'd', { spec: { ovnEip: 'e3' }, status: { ...status, ...over }, metadata });
const vips = { '198.51.100.13:80': '10.60.0.3:8080' };
const says =
  'OvnDnatRule d is ready, and load balancer d does not answer 198.51.100.13 port 80 for 10.60.0.3';

testRule(rule, {
  healthy: {
    'its balancer answers': world(dnat(), balancer('d', vips)),
    'its balancer answers in both families': world(
      dnat({ v6Eip: '2001:db8::d', v6Ip: 'fd00:60::3' }),
      balancer('d', { ...vips, '[2001:db8:0::d]:80': '[fd00:60::3]:8080' }),
    ),
    'its balancer is one of UDP': world(
      dnat({ protocol: 'udp' }),
      balancer('d', vips, { protocol: 'udp' }),
    ),
    'it is not ready': world(dnat({ ready: false })),
    'it has no status yet': world(object('OvnDnatRule', 'd', { spec: { ovnEip: 'e3' } })),
    'it does not say its port': world(dnat({ externalPort: '' })),
    'it does not say its protocol': world(dnat({ protocol: '' })),
    'it does not say whom it is for': world(dnat({ v4Ip: '' })),
    'it is being deleted': world(dnat({}, { deletionTimestamp: '2026-01-01T00:00:00Z' })),
  },
  violation: {
    'its balancer is gone': { given: world(dnat()), summary: says },
    'its balancer is empty': { given: world(dnat(), balancer('d', {})), summary: says },
    'its balancer answers another port': {
      given: world(dnat(), balancer('d', { '198.51.100.13:81': '10.60.0.3:8080' })),
      summary: says,
    },
    'its balancer is of another protocol': {
      given: world(dnat(), balancer('d', vips, { protocol: 'udp' })),
      summary: says,
    },
    'another balancer answers': { given: world(dnat(), balancer('other', vips)), summary: says },
    'its balancer answers in one family': {
      given: world(dnat({ v6Eip: '2001:db8::d', v6Ip: 'fd00:60::3' }), balancer('d', vips)),
      summary:
        'OvnDnatRule d is ready, and load balancer d does not answer 2001:db8::d port 80 for fd00:60::3',
    },
  },
});
