import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './network-policies-share-group';

const LEAVING = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
const policy = (key: string, over = {}) => object('NetworkPolicy', key, over);
const group = (name: string) => row('Port_Group', name, { external_ids: { vendor: 'kube-ovn' } });
const PAIR = [policy('shop/web-a'), policy('shop/web.a')];

testRule(rule, {
  healthy: {
    'each has a group of its own': world(
      policy('shop/web-a'),
      policy('shop/web-b'),
      policy('other/web-a'),
      group('web.a.shop'),
      group('web.b.shop'),
      group('web.a.other'),
    ),
    'Kube-OVN makes no groups': world(...PAIR),
    'one is being deleted': world(
      policy('shop/web-a'),
      policy('shop/web.a', LEAVING),
      group('web.a.shop'),
    ),
    'the first is being deleted': world(
      policy('shop/web-a', LEAVING),
      policy('shop/web.a'),
      group('web.a.shop'),
    ),
    'only the name before its prefix is alike': world(
      policy('shop/1-a'),
      policy('shop/np1-b'),
      policy('1/a'),
      group('1.a.shop'),
    ),
    'a subnet and a security group have names like it': world(
      policy('shop/web'),
      object('Subnet', 'web'),
      object('SecurityGroup', 'web'),
      group('web.shop'),
    ),
  },
  violation: {
    'they differ in a dash and a dot': {
      given: world(...PAIR, group('web.a.shop')),
      summary:
        'NetworkPolicy shop/web-a has one port group with shop/web.a in OVN, web.a.shop: only one of them is obeyed',
      concerns: ['web.a'],
    },
    'they are of two namespaces': {
      given: world(policy('b-c/a'), policy('c/a.b'), group('a.b.c')),
      summary:
        'NetworkPolicy b-c/a has one port group with c/a.b in OVN, a.b.c: only one of them is obeyed',
    },
    'one of them is prefixed': {
      given: world(policy('shop/1-a'), policy('shop/np1.a'), group('np1.a.shop')),
      summary:
        'NetworkPolicy shop/1-a has one port group with shop/np1.a in OVN, np1.a.shop: only one of them is obeyed',
    },
  },
});
