import { ip, logicalSwitch, object, pod, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stale-gateway-policy';

const router = row('Logical_Router', 'ovn-cluster', { external_ids: { vendor: 'kube-ovn' } });
const vpc = (policyRoutes: unknown[] = []) =>
  object('Vpc', 'ovn-cluster', { spec: { policyRoutes } });
const MATCH = 'ip4.src == 10.17.0.10';
const policy = (columns: Record<string, unknown> = {}) =>
  row('Logical_Router_Policy', '', {
    uid: 'policy',
    priority: 29250,
    match: MATCH,
    action: 'reroute',
    nexthops: ['10.17.0.1'],
    external_ids: { vendor: 'kube-ovn', subnet: 'apps' },
    _parents: [{ kind: 'Logical_Router', uid: router.uid, column: 'policies' }],
    ...columns,
  });
const subnet = object('Subnet', 'apps', {
  spec: { vpc: 'ovn-cluster', cidrBlock: '10.17.0.0/24', gateway: '10.17.0.1', excludeIps: [] },
  status: { v4usingIPrange: '10.17.0.20' },
});
const SCENE = [router, vpc(), subnet, logicalSwitch('apps')];
const web = (asks: Record<string, string> = {}, over = {}) =>
  pod('shop/web-0', {
    metadata: { annotations: { 'ovn.kubernetes.io/allocated': 'true', ...asks } },
    ...over,
  });
const record = (spec = {}) => ip('web-0.shop', { podName: 'web-0', ...spec });
const says = (why: string) =>
  `router policy 29250 "${MATCH}" on ovn-cluster still sends traffic of 10.17.0.10 to the gateway that a former pod asked for; ${why}`;

testRule(rule, {
  healthy: {
    'its pod has a gateway of its own': world(
      ...SCENE,
      policy(),
      record(),
      web({ 'ovn.kubernetes.io/north_gateway': '10.17.0.1' }),
    ),
    'its pod has an external address': world(
      ...SCENE,
      policy(),
      record(),
      web({ 'ovn.kubernetes.io/eip': '198.51.100.7' }),
    ),
    'its pod goes out by an external address': world(
      ...SCENE,
      policy(),
      record(),
      web({ 'ovn.kubernetes.io/snat': '198.51.100.7' }),
    ),
    'the address is kept for a pod that is away': world(
      ...SCENE,
      policy(),
      record({ podType: 'StatefulSet' }),
    ),
    'it is a machine’s': world(
      ...SCENE,
      policy(),
      record({ podName: 'vm', podType: 'VirtualMachine' }),
    ),
    'two pods have the address, and the one that asks has lost its record': world(
      ...SCENE,
      policy(),
      record(),
      web(),
      pod('shop/api-0', {
        metadata: {
          annotations: {
            'ovn.kubernetes.io/ip_address': '10.17.0.10',
            'ovn.kubernetes.io/eip': '198.51.100.7',
          },
        },
      }),
    ),
    'a pod has the address and asks, though neither its record nor its port is left': world(
      ...SCENE,
      policy(),
      pod('shop/api-0', {
        metadata: {
          annotations: {
            'ovn.kubernetes.io/ip_address': 'fd00::5,10.17.0.10',
            'ovn.kubernetes.io/north_gateway': '10.17.0.1',
          },
        },
      }),
    ),
    'its pod is being deleted': world(
      ...SCENE,
      policy(),
      record(),
      web({}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ),
    'two have the address, and one asks': world(
      ...SCENE,
      policy(),
      record(),
      web(),
      ip('api-0.shop', { podName: 'api-0' }),
      pod('shop/api-0', {
        metadata: { annotations: { 'ovn.kubernetes.io/north_gateway': '10.17.0.1' } },
      }),
    ),
    'a Vip has the address': world(
      ...SCENE,
      policy(),
      object('Vip', 'v', { spec: { subnet: 'apps', v4ip: '10.17.0.10' } }),
    ),
    'it has another priority': world(...SCENE, policy({ priority: 29000 })),
    'it has not Kube-OVN’s tag': world(...SCENE, policy({ external_ids: {} })),
    'it has a key of others': world(
      ...SCENE,
      policy({ external_ids: { vendor: 'kube-ovn', subnet: 'apps', 'neutron:x': 'y' } }),
    ),
    'its match has another form': world(...SCENE, policy({ match: `${MATCH} && tcp` })),
    'the spec of the Vpc asks for it': world(
      router,
      vpc([{ priority: 29250, match: MATCH }]),
      subnet,
      logicalSwitch('apps'),
      policy(),
    ),
    'two routers hold it': world(
      ...SCENE,
      row('Logical_Router', 'other'),
      policy({
        _parents: [router.uid, 'Logical_Router:other'].map((uid) => ({
          kind: 'Logical_Router',
          uid,
          column: 'policies',
        })),
      }),
    ),
    'its router is of no Vpc': world(router, subnet, logicalSwitch('apps'), policy()),
    'its source is of no subnet': world(...SCENE, policy({ match: 'ip4.src == 10.99.0.10' })),
  },
  violation: {
    'its pod is gone': {
      given: world(...SCENE, policy()),
      summary: says('no record and no port has that address of subnet apps'),
    },
    'another pod has the address now, and a Vip asks for it and was refused': {
      given: world(
        ...SCENE,
        policy(),
        record(),
        web(),
        object('Vip', 'front', { spec: { subnet: 'apps', v4ip: '10.17.0.10' } }),
      ),
      summary: says('pod shop/web-0, which has that address now, asks for no gateway of its own'),
    },
    'another pod has the address now': {
      given: world(...SCENE, policy(), record(), web()),
      summary: says('pod shop/web-0, which has that address now, asks for no gateway of its own'),
      concerns: ['web-0'],
    },
    'two pods have the address now, whichever came first': {
      given: world(
        ...SCENE,
        policy(),
        record(),
        web(),
        ip('api-0.shop', { podName: 'api-0' }),
        pod('shop/api-0'),
      ),
      summary: says(
        'pods shop/api-0 and shop/web-0, which have that address now, ask for no gateway of their own',
      ),
      concerns: ['api-0', 'web-0'],
    },
  },
});
