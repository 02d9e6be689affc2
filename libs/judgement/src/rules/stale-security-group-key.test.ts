import { logicalSwitch, object, port } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stale-security-group-key';

const apps = logicalSwitch();
const keyed = (keys: Record<string, string>) =>
  port('web-0.shop', {
    external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'shop/web-0', ...keys },
  });

testRule(rule, {
  healthy: {
    'the group exists': world(
      apps,
      keyed({ associated_sg_web: 'true', security_groups: 'web' }),
      object('SecurityGroup', 'web'),
    ),
    'the groups exist, and its pod named them with blanks': world(
      apps,
      keyed({
        associated_sg_web: 'true',
        'associated_sg_ db': 'true',
        security_groups: 'web/ db',
      }),
      object('SecurityGroup', 'web'),
      object('SecurityGroup', 'db'),
    ),
    'it was taken out of the group': world(apps, keyed({ associated_sg_web: 'false' })),
    'it is in the groups Kube-OVN makes for itself': world(
      apps,
      keyed({
        'associated_sg_default-securitygroup': 'true',
        associated_sg_kubeovn_deny_all: 'true',
        security_groups: 'kubeovn_deny_all',
      }),
    ),
    'it is in none': world(apps, keyed({}), keyed({ security_groups: '' })),
    "it is somebody else's": world(
      apps,
      port('web-0.shop', { external_ids: { associated_sg_web: 'true', 'neutron:port_name': 'x' } }),
    ),
    'it has no tag': world(
      apps,
      port('web-0.shop', {
        external_ids: { ls: 'apps', pod: 'shop/web-0', associated_sg_web: 'true' },
      }),
    ),
  },
  unknown: {
    'security groups are not listed': world(apps, keyed({ associated_sg_web: 'true' })).unheardOf(
      'SecurityGroup',
    ),
  },
  violation: {
    'the group is gone': {
      given: world(
        apps,
        keyed({ associated_sg_web: 'true', security_groups: 'web' }),
        object('SecurityGroup', 'we'),
      ),
      summary:
        'port web-0.shop has the key associated_sg_web of SecurityGroup web, which does not exist',
      parts: ['external_ids=associated_sg_web'],
    },
    'the group is gone, and its pod named it with a blank and a comma behind it': {
      given: world(
        apps,
        keyed({
          'associated_sg_ web': 'true',
          associated_sg_: 'true',
          security_groups: ' web/',
        }),
      ),
      summary:
        'port web-0.shop has the key associated_sg_ web of SecurityGroup web, which does not exist',
      parts: ['external_ids=associated_sg_ web'],
    },
    'two groups are gone, one is not': {
      given: world(
        apps,
        keyed({ associated_sg_a: 'true', associated_sg_b: 'true', associated_sg_c: 'true' }),
        object('SecurityGroup', 'b'),
      ),
      summary: [
        'port web-0.shop has the key associated_sg_a of SecurityGroup a, which does not exist',
        'port web-0.shop has the key associated_sg_c of SecurityGroup c, which does not exist',
      ],
    },
    'groups are only listed': {
      given: world(apps, keyed({ security_groups: 'a/b/c/a' }), object('SecurityGroup', 'b')),
      summary:
        'port web-0.shop has the key security_groups of SecurityGroup a, c, which does not exist',
      parts: ['external_ids=security_groups'],
    },
  },
});
