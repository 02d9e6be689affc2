import { type Built, logicalSwitch, row } from '../testing/builders';
import { findings, testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './duplicate-acl';

const group = row('Port_Group', 'allow.web.shop', {
  external_ids: { vendor: 'kube-ovn', np: 'shop/allow-web' },
});
const MATCH = 'outport == @allow.web.shop && ip';
const acl = (
  uid: string,
  columns: Record<string, unknown> = {},
  holder: Built = group,
): Built<'ACL'> =>
  row('ACL', '', {
    uid,
    direction: 'to-lport',
    priority: 2000,
    match: MATCH,
    action: 'drop',
    tier: 2,
    external_ids: { vendor: 'kube-ovn', parent: holder.name },
    _parents: [{ kind: holder.kind, uid: holder.uid, column: 'acls' }],
    ...columns,
  });
const OF_BLOCK = `${MATCH} && (ip4.src == 10.0.0.0/8 || ip4.src == 10.9.0.1/32) && udp.dst == 53`;
const says = `port group allow.web.shop has the same to-lport ACL of priority 2000 twice: ${MATCH}`;
const sets = (...names: string[]) =>
  names.map((it) => row('Address_Set', `allow.web.shop.${it}`, { external_ids: {} }));
const other = row('Port_Group', 'allow.db.shop');
const apps = logicalSwitch();

testRule(rule, {
  healthy: {
    'there is one': world(group, acl('a')),
    'the other is for the other direction': world(
      group,
      acl('a'),
      acl('b', { direction: 'from-lport' }),
    ),
    'the other has another priority': world(group, acl('a'), acl('b', { priority: 2001 })),
    'the other has another match': world(group, acl('a'), acl('b', { match: `${MATCH}4` })),
    'the other is in another tier, as those of security groups are': world(
      group,
      acl('a'),
      acl('b', { tier: 3 }),
    ),
    'the other is in another group': world(group, other, acl('a'), acl('b', {}, other)),
    'they have no key of Kube-OVN’s': world(
      group,
      acl('a', { external_ids: {} }),
      acl('b', { external_ids: {} }),
    ),
    'the other has no key of Kube-OVN’s': world(group, acl('a'), acl('b', { external_ids: {} })),
    'two rules of a policy name the same block and port': world(
      group,
      acl('a', { match: OF_BLOCK, priority: 2001 }),
      acl('b', { match: OF_BLOCK, priority: 2001 }),
    ),
    'a policy for pods of two families drops the rest twice, as up to v1.14': world(
      group,
      acl('a'),
      acl('b'),
      acl('c', { direction: 'from-lport', match: MATCH.replace('out', 'in') }),
      acl('d', { direction: 'from-lport', match: MATCH.replace('out', 'in') }),
      ...sets('ingress.allow.IPv4.0', 'ingress.allow.IPv6.0'),
      ...sets('egress.allow.IPv4.all', 'egress.allow.IPv6.all'),
    ),
    'the first has no key of Kube-OVN’s': world(group, acl('a', { external_ids: {} }), acl('b')),
    'their key names another group than the one that has them': world(
      group,
      acl('a', { external_ids: { parent: 'other' } }),
      acl('b', { external_ids: { parent: 'other' } }),
    ),
  },
  violation: {
    'a group has it twice': {
      given: world(group, acl('a'), acl('b')),
      summary: says,
      concerns: ['a'],
    },
    'a security group has it twice for a block': {
      given: world(
        other,
        acl('a', { match: OF_BLOCK }, other),
        acl('b', { match: OF_BLOCK }, other),
      ),
      summary: `port group allow.db.shop has the same to-lport ACL of priority 2000 twice: ${OF_BLOCK}`,
    },
    'a group has it three times': {
      given: world(group, acl('a'), acl('b'), acl('c')),
      summary: [says, says],
    },
    'a policy for pods of two families has another ACL twice': {
      given: world(
        group,
        acl('a', { action: 'allow-related' }),
        acl('b', { action: 'allow-related' }),
        ...sets('ingress.allow.IPv4.0', 'ingress.allow.IPv6.0'),
      ),
      summary: says,
    },
    'a policy for pods of two families drops the rest three times': {
      given: world(
        group,
        acl('a'),
        acl('b'),
        acl('c'),
        ...sets('ingress.allow.IPv4.0', 'ingress.allow.IPv6.0'),
      ),
      summary: [says, says],
    },
    'a policy drops the rest twice, for pods of one family': {
      given: world(
        group,
        acl('a'),
        acl('b'),
        ...sets('ingress.allow.IPv4.0', 'egress.allow.IPv6.0'),
      ),
      summary: says,
    },
    'they say different things': {
      given: world(group, acl('a'), acl('b', { action: 'allow-related' })),
      summary: `${says}, and one says drop, the other allow-related`,
    },
    'a switch has it twice': {
      given: world(
        apps,
        acl('a', { external_ids: { parent: 'apps' } }, apps),
        acl('b', { external_ids: { parent: 'apps' } }, apps),
      ),
      summary: says.replace('port group allow.web.shop', 'switch apps'),
    },
    'an old release made them, without vendor and tier': {
      given: world(
        group,
        acl('a', { external_ids: { parent: group.name }, tier: 0 }),
        acl('b', { external_ids: { parent: group.name }, tier: undefined }),
      ),
      summary: says,
    },
  },
});

test('the one that is named is the first by uuid, in whatever order they come', () =>
  expect(findings(rule, world(group, acl('b'), acl('a'))).map((it) => it.concerns[0]?.uid)).toEqual(
    ['a'],
  ));
