import { object, pod, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './pod-gateway-policy-missing';

const router = row('Logical_Router', 'ovn-cluster');
const vpc = object('Vpc', 'ovn-cluster', {
  status: { default: true, standby: true, router: 'ovn-cluster' },
});
const subnet = (spec = {}) => object('Subnet', 'apps', { spec: { vpc: 'ovn-cluster', ...spec } });
const policy = (match: string, priority = 29250) =>
  row('Logical_Router_Policy', '', {
    uid: match,
    priority,
    match,
    _parents: [{ kind: 'Logical_Router', uid: router.uid, column: 'policies' }],
  });
const controller = (release: string, ...flags: string[]) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { replicas: 1, template: { spec: { flags, release } } },
  });
const web = (asks: Record<string, string>, over: Record<string, unknown> = {}) =>
  pod('shop/web-0', {
    metadata: {
      annotations: Object.fromEntries(
        Object.entries({
          routed: 'true',
          logical_switch: 'apps',
          ip_address: '10.17.0.10',
          ...asks,
        }).map(([key, text]) => [`ovn.kubernetes.io/${key}`, text]),
      ),
    },
    ...over,
  });
const GATEWAY = { north_gateway: '10.17.0.254' };
const EIP = { eip: '198.51.100.7' };
const DUAL = { ip_address: '10.17.0.10,fd00:17::10' };
const SCENE = [router, vpc, subnet(), controller('v1.15.24')];
const V4 = 'ip4.src == 10.17.0.10';
const says = (what: string, match = V4) =>
  `pod shop/web-0 asks for ${what}, and router ovn-cluster has no policy 29250 "${match}" that sends its traffic there`;

testRule(rule, {
  healthy: {
    'its gateway has a policy': world(...SCENE, web(GATEWAY), policy(V4)),
    'its external address has one': world(...SCENE, web(EIP), policy(V4)),
    'it asks for neither': world(...SCENE, web({})),
    'it is not routed yet': world(...SCENE, web({ ...GATEWAY, routed: '' })),
    'it is over': world(...SCENE, web(GATEWAY, { status: { phase: 'Succeeded' } })),
    'its subnet is of another VPC, where Kube-OVN makes none': world(
      router,
      object('Vpc', 'tenant', { status: { standby: true, router: 'ovn-cluster' } }),
      subnet({ vpc: 'tenant' }),
      web(GATEWAY),
    ),
    'its subnet is an underlay': world(router, vpc, subnet({ vlan: 'v7' }), web(GATEWAY)),
    'its subnet is not there': world(router, vpc, web(GATEWAY)),
    'its router is not there: that is another finding': world(vpc, subnet(), web(GATEWAY)),
    'its address is of the other family than the gateway': world(
      ...SCENE,
      web({ north_gateway: 'fd00:17::1' }),
    ),
    'it has no address': world(...SCENE, web({ ...GATEWAY, ip_address: '' })),
    'external addresses are turned off': world(
      router,
      vpc,
      subnet(),
      controller('v1.15.24', '--enable-eip-snat=false'),
      web(EIP),
    ),
    'its release makes a static route of an external address': world(
      router,
      vpc,
      subnet(),
      controller('v1.12.35'),
      web(EIP),
    ),
    'the release is not known': world(router, vpc, subnet(), controller('latest'), web(EIP)),
    'the controller runs elsewhere': world(router, vpc, subnet(), web(EIP)),
    'it has two addresses, of which no policy is made': world(...SCENE, web({ ...EIP, ...DUAL })),
  },
  violation: {
    'its gateway has none': {
      given: world(...SCENE, web(GATEWAY)),
      summary: says('north_gateway 10.17.0.254'),
      parts: [`metadata.annotations[ovn.kubernetes.io/north_gateway]=${V4}`],
      concerns: ['ovn-cluster'],
    },
    'it has one at another priority': {
      given: world(...SCENE, web(GATEWAY), policy(V4, 29000)),
      summary: says('north_gateway 10.17.0.254'),
    },
    'its underlay has a logical gateway': {
      given: world(router, vpc, subnet({ vlan: 'v7', logicalGateway: true }), web(GATEWAY)),
      summary: says('north_gateway 10.17.0.254'),
    },
    'its gateway is IPv6': {
      given: world(...SCENE, web({ north_gateway: 'fd00:17::1', ...DUAL }), policy(V4)),
      summary: says('north_gateway fd00:17::1', 'ip6.src == fd00:17::10'),
    },
    'its external address lost it by a restart': {
      given: world(...SCENE, web(EIP)),
      summary: says('eip 198.51.100.7'),
    },
    'it goes out by an external address': {
      given: world(...SCENE, web({ snat: '198.51.100.7' })),
      summary: says('snat 198.51.100.7'),
    },
  },
});
