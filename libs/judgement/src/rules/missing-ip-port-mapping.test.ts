import { ip, object, pod, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './missing-ip-port-mapping';

const VIP = '10.96.0.9:80';
const balancer = (
  mappings: Record<string, string> = {},
  backends = '10.17.0.10:8080,10.17.0.11:8080',
  columns: Record<string, unknown> = {},
) =>
  row('Load_Balancer', 'vpc-blue-tcp-load', {
    protocol: 'tcp',
    options: { prefer_local_backend: 'false' },
    external_ids: { vendor: 'kube-ovn' },
    vips: { [VIP]: backends, '10.96.0.10:80': '10.17.0.12:8080' },
    ip_port_mappings: mappings,
    ...columns,
  });
const check = (vip = VIP, ids: Record<string, string> = { switch_lb_subnet: 'apps' }) =>
  row('Load_Balancer_Health_Check', '', {
    uid: 'check',
    vip,
    external_ids: ids,
    _parents: [
      { kind: 'Load_Balancer', uid: 'Load_Balancer:vpc-blue-tcp-load', column: 'health_check' },
    ],
  });
const backend = (name: string, v4IpAddress: string, subnet = 'apps') => [
  ip(`${name}.shop`, { v4IpAddress, ipAddress: v4IpAddress, subnet }),
  pod(`shop/${name}`),
];
const pods = [...backend('web-0', '10.17.0.10'), ...backend('web-1', '10.17.0.11')];
const mapped = (...addresses: string[]) =>
  Object.fromEntries(addresses.map((it) => [it, `web.shop:10.17.0.9`]));
const says = (backends: string) =>
  `load balancer vpc-blue-tcp-load sends nothing to ${backends}, backends of ${VIP}: the address has a health check, and no entry says from which port they are checked`;

testRule(rule, {
  healthy: {
    'all backends have an entry': world(
      check(),
      balancer(mapped('10.17.0.10', '10.17.0.11')),
      ...pods,
    ),
    'the address has no backend': world(check(), balancer({}, ''), ...pods),
    'the balancer lacks the address': world(check('10.96.0.8:80'), balancer(), ...pods),
    'no pod has the address: a person wrote it': world(check(), balancer()),
    'the pod of the address has ended': world(
      check(),
      balancer({}, '10.17.0.10:8080'),
      ip('web-0.shop'),
      pod('shop/web-0', { status: { phase: 'Succeeded' } }),
    ),
    'a pod of another subnet has the address': world(
      check(),
      balancer({}, '10.17.0.10:8080'),
      ...backend('web-0', '10.17.0.10', 'data'),
    ),
    'two records have the address': world(
      check(),
      balancer({}, '10.17.0.10:8080'),
      ...backend('web-0', '10.17.0.10'),
      ...backend('web-9', '10.17.0.10'),
    ),
    'a Vip has the address': world(
      check(),
      balancer({}, '10.17.0.10:8080'),
      object('Vip', 'v', { spec: { subnet: 'apps' }, status: { v4ip: '10.17.0.10' } }),
    ),
    'IPv6 is not checked': world(
      check('[fd00:96::9]:80'),
      balancer({}, '', { vips: { '[fd00:96::9]:80': '[fd00::10]:8080' } }),
      ip('web-0.shop', { v4IpAddress: '', v6IpAddress: 'fd00::10', ipAddress: 'fd00::10' }),
      pod('shop/web-0'),
    ),
    'it is not Kube-OVN’s': world(check(VIP, { 'octavia:pool_id': 'p' }), balancer(), ...pods),
    'the balancer is not Kube-OVN’s': world(
      check(),
      balancer({}, undefined, { external_ids: { 'neutron:loadbalancer_id': 'x' } }),
      ...pods,
    ),
  },
  unknown: {
    'pods are not listed': world(check(), balancer(), ...pods).unheardOf('Pod'),
  },
  violation: {
    'another rule took the entries of all': {
      given: world(check(), balancer(mapped('10.17.0.12')), ...pods),
      summary: says('10.17.0.10 (shop/web-0), 10.17.0.11 (shop/web-1)'),
      concerns: ['vpc-blue-tcp-load'],
      noRemedy: true,
    },
    'one of its backends has none': {
      given: world(check(), balancer(mapped('10.17.0.10')), ...pods),
      summary: says('10.17.0.11 (shop/web-1)'),
    },
    'more than a finding names': {
      given: world(
        check(),
        balancer({}, [1, 2, 3, 4, 5, 6, 7].map((it) => `10.17.0.2${it}:80`).join(',')),
        ...[1, 2, 3, 4, 5, 6, 7].flatMap((it) => backend(`web-${it}`, `10.17.0.2${it}`)),
      ),
      summary: says(
        `${[1, 2, 3, 4, 5].map((it) => `10.17.0.2${it} (shop/web-${it})`).join(', ')} and 2 more`,
      ),
    },
  },
});
