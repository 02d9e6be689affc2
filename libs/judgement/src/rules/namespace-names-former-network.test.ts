import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './namespace-names-former-network';

const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const shop = (subnets: string, pools?: string, metadata: Record<string, unknown> = {}) =>
  object('Namespace', 'shop', {
    metadata: {
      annotations: {
        'ovn.kubernetes.io/logical_switch': subnets,
        ...(pools !== undefined && { 'ovn.kubernetes.io/ip_pool': pools }),
      },
      ...metadata,
    },
  });
const apps = object('Subnet', 'apps');
const pool = (name: string, namespaces: string[] = ['shop'], metadata = {}) =>
  object('IPPool', name, { metadata, spec: { subnet: 'apps', namespaces } });
const inVpc = (spec: Record<string, unknown> = {}) =>
  object('Subnet', 'apps', { spec: { vpc: 'a', ...spec } });
const vpc = (namespaces: string[] = [], status: Record<string, unknown> = { default: false }) =>
  object('Vpc', 'a', { spec: { namespaces, defaultSubnet: 'apps' }, status });
const noPool = (name: string) =>
  `namespace shop names IPPool ${name}, which does not exist: its new pods get no address`;

testRule(rule, {
  healthy: {
    'all that it names is there': world(shop('apps', 'a,b'), apps, pool('a'), pool('b')),
    'it names nothing': world(object('Namespace', 'shop')),
    'it names a Subnet twice': world(shop('apps,apps,'), apps),
    'Kube-OVN was uninstalled': world(shop('gone', 'gone')),
    'it is being deleted': world(shop('gone', 'gone', GOING)),
    'its pool is being deleted, and lists it no more': world(
      shop('apps', 'a'),
      apps,
      pool('a', [], GOING),
    ),
    'a person wrote addresses there': world(
      shop('apps', '10.17.0.10,10.17.0.11;10.17.0.12,fd00::1,10.17.0.2..10.17.0.9'),
      apps,
    ),
    'its Vpc lists it': world(shop('apps'), inVpc(), vpc(['shop'])),
    'its Subnet lists it': world(shop('apps'), inVpc({ namespaces: ['shop'] }), vpc()),
    'its Subnet selects namespaces': world(
      shop('apps'),
      inVpc({ namespaceSelectors: [{ matchLabels: { team: 'web' } }] }),
      vpc(),
    ),
    'its Subnet is the default one': world(shop('apps'), inVpc({ default: true }), vpc()),
    'it is in the default VPC, of another name': world(
      shop('apps'),
      inVpc(),
      vpc([], { default: true }),
    ),
    'nothing says whether the VPC is the default one': world(shop('apps'), inVpc(), vpc([], {})),
    'its Vpc does not exist: that is another finding': world(shop('apps'), inVpc()),
    'pools are not listed': world(shop('apps', 'a'), apps).unheardOf('IPPool'),
  },
  unknown: { 'Subnets are not listed': world(shop('apps')).unheardOf('Subnet') },
  violation: {
    'one of its two pools is gone': {
      given: world(shop('apps', 'a,b'), apps, pool('b')),
      summary: noPool('a'),
      parts: ['ovn.kubernetes.io/ip_pool=a'],
    },
    'its Subnet is gone, and so is its pool': {
      given: world(shop('apps,gone', 'a'), apps),
      summary: [
        'namespace shop names Subnet gone, which does not exist: its new pods get no address',
        noPool('a'),
      ],
      parts: ['ovn.kubernetes.io/logical_switch=gone', 'ovn.kubernetes.io/ip_pool=a'],
    },
    'it has left its Vpc': {
      given: world(shop('apps'), inVpc(), vpc(['payments'])),
      summary:
        'namespace shop names Subnet apps of Vpc a, neither of which lists it: its new pods still get addresses of the Subnet',
      concerns: ['a', 'apps'],
    },
    'its pool lists others only': {
      given: world(shop('apps', 'a'), apps, pool('a', ['payments'])),
      summary:
        'namespace shop names IPPool a, which does not list it: its new pods still get addresses of the pool',
      concerns: ['a'],
    },
  },
});
