import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './retiered-acls';

const controller = object('Deployment', 'kube-system/kube-ovn-controller');
const acl = (uid: string, tier?: number) =>
  row('ACL', '', {
    uid,
    match: 'ip4',
    external_ids: { 'neutron:security_group_rule_id': uid },
    ...(tier === undefined ? {} : { tier }),
  });
const says = (what: string): string =>
  `${what} not in tier 0, where Neutron puts them: Kube-OVN's controller kube-system/kube-ovn-controller moves them when it starts`;

testRule(rule, {
  healthy: {
    'they are where they belong': world(controller, acl('a')),
    "only Kube-OVN's are elsewhere": world(
      controller,
      row('ACL', '', {
        uid: 'own',
        tier: 2,
        match: 'ip4',
        external_ids: { vendor: 'kube-ovn', parent: 'apps' },
      }),
    ),
    'it is another Deployment': world(object('Deployment', 'shop/web'), acl('a', 2)),
  },
  violation: {
    'one was moved': {
      given: world(controller, acl('a', 2), acl('b')),
      summary: says('1 ACL of Neutron is'),
    },
    'two were moved': {
      given: world(controller, acl('a', 2), acl('b', 2)),
      summary: says('2 ACLs of Neutron are'),
    },
  },
});
