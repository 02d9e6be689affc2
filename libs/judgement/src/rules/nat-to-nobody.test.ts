import { ip, logicalSwitch, object, pod, port, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './nat-to-nobody';

const router = row('Logical_Router', 'ovn-cluster', { external_ids: { vendor: 'kube-ovn' } });
const vpc = object('Vpc', 'ovn-cluster');
const nat = (columns: Record<string, unknown> = {}) =>
  row('NAT', '', {
    uid: 'nat',
    type: 'dnat_and_snat',
    external_ip: '198.51.100.11',
    logical_ip: '10.17.0.10',
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:ovn-cluster', column: 'nat' }],
    ...columns,
  });
const subnet = (spec = {}, status = {}, metadata = {}) =>
  object('Subnet', 'apps', {
    metadata,
    spec: {
      vpc: 'ovn-cluster',
      cidrBlock: '10.17.0.0/24,fd00::/64',
      gateway: '10.17.0.1,fd00::1',
      excludeIps: ['10.17.0.1', 'fd00::1'],
      ...spec,
    },
    status: { v4usingIPrange: '10.17.0.20-10.17.0.29', v6usingIPrange: '', ...status },
  });
const SCENE = [router, vpc, logicalSwitch('apps')];
const SAYS =
  'NAT dnat_and_snat 198.51.100.11 on ovn-cluster leads to 10.17.0.10 of subnet apps, which no record and no port has, and nothing asks for it';

testRule(rule, {
  healthy: {
    'a record has the address': world(...SCENE, nat(), subnet(), ip('web-0.shop')),
    'a Vip has it': world(
      ...SCENE,
      nat(),
      subnet(),
      object('Vip', 'v', { spec: { subnet: 'apps' }, status: { v4ip: '10.17.0.10' } }),
    ),
    'a port of the switch has it': world(...SCENE, nat(), subnet(), port('web-0.shop')),
    'a port shares it with others': world(
      ...SCENE,
      nat(),
      subnet(),
      port('web-0.shop', {
        addresses: ['0a:00:00:00:00:01 10.17.0.11'],
        external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'shop/web-0', vips: '10.17.0.10' },
      }),
    ),
    'Kube-OVN has it in use': world(
      ...SCENE,
      nat(),
      subnet({}, { v4usingIPrange: '10.17.0.2-10.17.0.12' }),
    ),
    'this release does not show what is in use': world(
      ...SCENE,
      nat(),
      subnet({}, { v4usingIPrange: undefined }),
    ),
    'it is left out on purpose': world(
      ...SCENE,
      nat(),
      subnet({ excludeIps: ['10.17.0.8..10.17.0.12'] }),
    ),
    'it is the gateway': world(...SCENE, nat({ logical_ip: '10.17.0.1' }), subnet()),
    'it is of no subnet of the router': world(
      ...SCENE,
      nat({ logical_ip: '10.18.0.10' }),
      subnet(),
    ),
    'it is of two': world(
      ...SCENE,
      nat(),
      subnet(),
      object('Subnet', 'wide', { spec: { vpc: 'ovn-cluster', cidrBlock: '10.16.0.0/12' } }),
    ),
    'it is for a whole network': world(...SCENE, nat({ logical_ip: '10.17.0.0/24' }), subnet()),
    'a floating IP has the address outside': world(
      ...SCENE,
      nat(),
      subnet(),
      object('OvnFip', 'f', { status: { v4Eip: '198.51.100.11' } }),
    ),
    'a floating IP asks for the address inside': world(
      ...SCENE,
      nat(),
      subnet(),
      object('OvnFip', 'f', { spec: { v4Ip: '10.17.0.10' } }),
    ),
    'a balancer leads to the address inside': world(
      ...SCENE,
      nat(),
      subnet(),
      object('RouterLBRule', 'r', { spec: { endpoints: ['10.17.0.10'] } }),
    ),
    'a pod asks for the address outside': world(
      ...SCENE,
      nat(),
      subnet(),
      pod('shop/web-0', {
        metadata: { annotations: { 'ovn.kubernetes.io/eip': '198.51.100.11' } },
      }),
    ),
    'it is an OvnEip’s: that is another finding': world(
      ...SCENE,
      nat(),
      subnet(),
      object('OvnEip', 'e', { spec: { type: 'nat' }, status: { v4Ip: '198.51.100.11' } }),
    ),
    'the subnet is being deleted': world(
      ...SCENE,
      nat(),
      subnet({}, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
    'the subnet has no switch yet': world(router, vpc, nat(), subnet()),
    'the router has no Vpc': world(router, logicalSwitch('apps'), nat(), subnet()),
    'the router is somebody else’s': world(
      row('Logical_Router', 'ovn-cluster', { external_ids: { 'neutron:router_name': 'r' } }),
      vpc,
      logicalSwitch('apps'),
      nat(),
      subnet(),
    ),
  },
  violation: {
    'nobody has the address inside': {
      given: world(...SCENE, nat(), subnet()),
      summary: SAYS,
      concerns: ['apps'],
    },
    'others have others': {
      given: world(
        ...SCENE,
        nat(),
        subnet(),
        ip('web-0.shop', { v4IpAddress: '10.17.0.11' }),
        object('Subnet', 'other', { spec: { vpc: 'tenant', cidrBlock: '10.17.0.0/24' } }),
      ),
      summary: SAYS,
    },
    'it is IPv6': {
      given: world(...SCENE, nat({ external_ip: '2001:db8::b', logical_ip: 'fd00::a' }), subnet()),
      summary:
        'NAT dnat_and_snat 2001:db8::b on ovn-cluster leads to fd00::a of subnet apps, which no record and no port has, and nothing asks for it',
    },
  },
});
