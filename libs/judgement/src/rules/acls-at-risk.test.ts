import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './acls-at-risk';

const controller = (release?: string, name = 'kube-system/kube-ovn-controller') =>
  object('Deployment', name, {
    spec: { template: { spec: { ...(release !== undefined && { release }) } } },
  });
const acl = (uid: string, ids: Record<string, string> = {}) =>
  row('ACL', '', {
    uid,
    match: 'ip4',
    external_ids: { 'neutron:security_group_rule_id': uid, ...ids },
  });
const says = (release: string, what: string): string =>
  `Kube-OVN ${release} (kube-system/kube-ovn-controller) deletes ${what} of others when it starts`;

/** A group of Neutron's that lost an ACL. */
const emptied = (evidence: readonly string[]) =>
  row('Former_Row', 'pg', {
    table: 'Port_Group',
    owner: 'neutron',
    onKubeOvns: false,
    parts: [
      { table: 'ACL', uid: 'a', name: '', owner: 'neutron', gone: true, moment: '1', row: {} },
      { table: 'ACL', uid: 'b', name: '', owner: 'neutron', gone: false, moment: '1', row: {} },
    ],
    referrers: [],
    since: '2026-01-01T00:00:00Z',
    until: '2026-01-01T00:00:00Z',
    evidence,
  });

testRule(rule, {
  healthy: {
    'the release before the first that does it': world(controller('v1.13.14'), acl('a')),
    'the first release that spares them': world(controller('v1.14.42'), acl('a')),
    'a later release': world(controller('v1.15.0'), acl('a')),
    'an image that names no release': world(controller(), acl('a')),
    'it is another Deployment': world(controller('v1.14.0', 'shop/web'), acl('a')),
    'they have the key': world(controller('v1.14.0'), acl('a', { parent: 'pg' })),
    'there are none': world(controller('v1.14.0')),
    'the one that went may have been deleted by its owner': world(
      controller('v1.14.0'),
      emptied([]),
    ),
    'one is gone, and the release is another by now': world(
      controller('v1.15.0'),
      emptied(['it was not Neutron']),
    ),
  },
  violation: {
    'the first release that does it, and one': {
      given: world(controller('v1.13.15'), acl('a')),
      summary: says('v1.13.15', '1 ACL'),
    },
    'the last of them is gone': {
      given: world(controller('v1.14.0'), emptied(['it was not Neutron'])),
      summary: `${says('v1.14.0', '0 ACLs')}; 1 is gone by now`,
    },
    'the last release that does it, and two': {
      given: world(controller('v1.14.41'), acl('a'), acl('b')),
      summary: says('v1.14.41', '2 ACLs'),
    },
  },
});
