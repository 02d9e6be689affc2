import { object, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './neighbours-at-risk';

const controller = (...flags: string[]): Built<'Deployment'> =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { replicas: 1, template: { spec: { flags } } },
  });
const of = (release: string, ...flags: string[]): Built<'Deployment'> =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { replicas: 1, template: { spec: { flags, release } } },
  });
const net = row('Logical_Switch', 'neutron-8f3a1c2e-0b5d-4e6f-9a7b-1c2d3e4f5a6b', {
  external_ids: { 'neutron:network_name': 'net' },
});
const byHand = row('Logical_Router', 'by-hand', {});
const balancer = row('Load_Balancer', 'web', { external_ids: { 'octavia:project': 'x' } });
const keyless = row('Load_Balancer', 'web-dnat', {});
const own = row('Logical_Switch', 'apps', { external_ids: { vendor: 'kube-ovn' } });
const says = (what: string): string =>
  `Kube-OVN's controller kube-system/kube-ovn-controller collects what is not its own: ${what}`;
const DEFAULTS = ['--gc-interval=360', '--enable-external-vpc=false', '--enable-lb=true'];

testRule(rule, {
  healthy: {
    'it spares its neighbours, and nobody balances': world(
      controller('--gc-interval=360', '--enable-external-vpc=true', '--enable-lb=true'),
      net,
      byHand,
    ),
    'it collects nothing': world(
      controller('--gc-interval=0', '--enable-external-vpc=false', '--enable-lb=true'),
      net,
      balancer,
    ),
    'it has no neighbours': world(controller(...DEFAULTS), own),
    'its load balancers are off, and there is nothing else': world(
      controller('--gc-interval=360', '--enable-external-vpc=false', '--enable-lb=false'),
      balancer,
    ),
    'it says nothing at all': world(controller(), net),
    'it names neither flag, and its release spares others': world(of('v1.14.4'), net, byHand),
    'it names neither flag, and balances nothing': world(
      of('v1.17.0', '--enable-lb=false'),
      balancer,
    ),
    'the balancer without a key is that of an OvnDnatRule': world(
      of('v1.14.41'),
      keyless,
      object('OvnDnatRule', 'web-dnat'),
    ),
    'it is another Deployment': world(
      object('Deployment', 'shop/web', { spec: { template: { spec: { flags: DEFAULTS } } } }),
      net,
    ),
    'it goes': world(
      object('Deployment', 'kube-system/kube-ovn-controller', {
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
        spec: { template: { spec: { flags: DEFAULTS } } },
      }),
      net,
    ),
  },
  unknown: {
    'it does not say what the release decides': world(controller('--gc-interval=360'), net),
    'it names neither flag, and is of no release that is known': world(
      of('v1.17.0-ours', '--gc-interval=360'),
      net,
    ),
    'a balancer without a key is named like an OvnDnatRule, and the release is not told': world(
      controller(...DEFAULTS),
      keyless,
      object('OvnDnatRule', 'web-dnat'),
    ),
    'what it says is no answer': world(
      controller('--gc-interval=360', '--enable-external-vpc=perhaps'),
      net,
    ),
  },
  violation: {
    "a switch of Neutron's, a router by hand and a load balancer": {
      given: world(controller(...DEFAULTS), net, byHand, balancer, own),
      says: says('1 switch (1 neutron), 1 router (1 unknown), 1 load balancer (1 octavia)'),
    },
    'it names neither flag, and its release deletes': {
      given: world(of('v1.14.5'), net),
      says: says('1 switch (1 neutron)'),
    },
    'it names neither flag, and balances by default': {
      given: world(of('v1.13.15'), balancer),
      says: says('1 load balancer (1 octavia)'),
    },
    'the balancer of an OvnDnatRule, which v1.12 takes': {
      given: world(of('v1.12.35'), keyless, object('OvnDnatRule', 'web-dnat')),
      says: says('1 load balancer (1 unknown)'),
    },
    'a balancer without a key that no OvnDnatRule is named like': {
      given: world(of('v1.14.41'), keyless, object('OvnDnatRule', 'another')),
      says: says('1 load balancer (1 unknown)'),
    },
    'two switches': {
      given: world(controller(...DEFAULTS), net, row('Logical_Switch', 'by-hand', {})),
      says: says('2 switches (1 neutron, 1 unknown)'),
    },
    'it spares switches, not load balancers': {
      given: world(
        controller('--gc-interval=360', '--enable-external-vpc=true', '--enable-lb'),
        net,
        balancer,
      ),
      says: says('1 load balancer (1 octavia)'),
    },
    'the last of its flags counts': {
      given: world(controller('--enable-external-vpc=true', '--enable-external-vpc=0'), net),
      says: says('1 switch (1 neutron)'),
    },
  },
});
