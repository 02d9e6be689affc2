import { object, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-load-balancer-health-check';

const balancer = (
  vips: Record<string, string> = { '10.96.0.9:80': '10.17.0.11:8080' },
  columns: Record<string, unknown> = {},
): Built<'Load_Balancer'> =>
  row('Load_Balancer', 'vpc-blue-tcp-load', {
    protocol: 'tcp',
    options: { prefer_local_backend: 'false' },
    external_ids: { vendor: 'kube-ovn' },
    vips,
    ...columns,
  });
const check = (
  vip = '10.96.0.1:80',
  columns: Record<string, unknown> = {},
): Built<'Load_Balancer_Health_Check'> =>
  row('Load_Balancer_Health_Check', '', {
    uid: 'check',
    vip,
    external_ids: { switch_lb_subnet: 'apps' },
    _parents: [
      { kind: 'Load_Balancer', uid: 'Load_Balancer:vpc-blue-tcp-load', column: 'health_check' },
    ],
    ...columns,
  });
const service = (clusterIP: string, port = 80, protocol = 'TCP') =>
  object('Service', 'shop/web', { spec: { clusterIP, ports: [{ port, protocol }] } });
const blue = object('Vpc', 'blue', { status: { tcpLoadBalancer: 'vpc-blue-tcp-load' } });
const keyless = balancer({}, { external_ids: {} });
const says =
  'load balancer vpc-blue-tcp-load has a health check of 10.96.0.1:80/tcp, an address it does not have';

testRule(rule, {
  healthy: {
    'its balancer has the address': world(check(), balancer({ '10.96.0.1:80': '10.17.0.11:8080' })),
    'its balancer has the address without any backend': world(
      check(),
      balancer({ '10.96.0.1:80': '' }),
    ),
    'its balancer has the same template': world(check('^VIP'), balancer({ '^VIP': '' })),
    'its balancer spells the address otherwise': world(
      check('[fd00:96::1]:80'),
      balancer({ '[fd00:96:0::1]:80': '' }),
    ),
    'a Service asks for the address': world(check(), balancer(), service('10.96.0.1')),
    'a SwitchLBRule asks for the address': world(
      check(),
      balancer(),
      object('SwitchLBRule', 'web', {
        spec: { vip: '10.96.0.1', ports: [{ port: 80, protocol: 'TCP' }] },
      }),
    ),
    'a RouterLBRule asks for the port': world(
      check(),
      balancer(),
      object('RouterLBRule', 'web', { spec: { ports: [{ port: 80, protocol: 'TCP' }] } }),
    ),
    "its balancer is somebody else's": world(check(), balancer({}, { external_ids: {} })),
    'its balancer has no key, and the VPC names another': world(
      check(),
      keyless,
      object('Vpc', 'blue', { status: { tcpLoadBalancer: 'vpc-blue-tcp-load-2' } }),
    ),
    'its balancer has no key, and another protocol than its VPC says': world(
      check(),
      balancer({}, { external_ids: {}, protocol: 'udp' }),
      blue,
    ),
    'its balancer has no key, and it names no subnet': world(
      check(undefined, { external_ids: {} }),
      keyless,
      blue,
    ),
    "it is Octavia's, in a balancer without a key that a VPC names": world(
      check(undefined, { external_ids: { 'octavia:healthmonitor': 'x' } }),
      keyless,
      blue,
    ),
    "it is Octavia's, in a balancer of Kube-OVN's": world(
      check(undefined, { external_ids: { 'octavia:healthmonitor': 'x' } }),
      balancer(),
    ),
    'its balancer is not to be seen': world(check()),
  },
  unknown: {
    'it is of no address': world(check('^VIP'), balancer()),
    'Services are not listed': world(check(), balancer()).unheardOf('Service'),
  },
  violation: {
    'the address is gone': {
      given: world(check(), balancer()),
      summary: says,
      concerns: ['vpc-blue-tcp-load'],
    },
    'its balancer has no key, as before v1.15: nothing is removed': {
      given: world(check(), keyless, blue),
      summary: says,
      concerns: ['vpc-blue-tcp-load'],
      noRemedy: true,
    },
    'no address is left': { given: world(check(), balancer({})), summary: says },
    'only another protocol is asked for': {
      given: world(check(), balancer(), service('10.96.0.1', 80, 'UDP')),
      summary: says,
    },
    'an address of IPv6': {
      given: world(check('[fd00:96::1]:80'), balancer({ '[fd00:96::2]:80': '' })),
      summary:
        'load balancer vpc-blue-tcp-load has a health check of [fd00:96::1]:80/tcp, an address it does not have',
    },
  },
});
