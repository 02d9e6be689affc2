import { type Built, object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './security-group-without-acls';

const NAME = 'ovn.sg.sg.db';
const RULE = { ipVersion: 'ipv4', policy: 'allow', remoteAddress: '0.0.0.0/0' };
const securityGroup = (
  spec: Record<string, unknown> = { ingressRules: [RULE], egressRules: [RULE] },
  status: Record<string, unknown> = { portGroup: NAME },
  metadata: Record<string, unknown> = {},
): Built<'SecurityGroup'> => object('SecurityGroup', 'sg-db', { spec, status, metadata });
const group = row('Port_Group', NAME, {
  external_ids: { vendor: 'kube-ovn', type: 'security_group', sg: 'sg-db' },
});
const acl = (direction: string, holder = group.uid, priority = 2005): Built<'ACL'> =>
  row('ACL', '', {
    uid: `${direction} ${holder} ${priority}`,
    direction,
    priority,
    action: 'allow-related',
    _parents: [{ kind: 'Port_Group', uid: holder, column: 'acls' }],
  });
const GONE = `SecurityGroup sg-db has no port group: ${NAME} does not exist, and no port can be put into it`;
const bare = (direction: string) =>
  `SecurityGroup sg-db asks for rules, and its port group ${NAME} has no ${direction} ACL`;

const SYNCED = { portGroup: NAME, ingressLastSyncSuccess: true };
const withPriorities = (priorities: readonly number[], status: Record<string, unknown> = SYNCED) =>
  securityGroup({ ingressRules: priorities.map((priority) => ({ ...RULE, priority })) }, status);
const into = (priority: number) => acl('to-lport', group.uid, priority);
const unmade = (priority: number | string) =>
  `SecurityGroup sg-db has ingressRules of priority ${priority}, and its port group ${NAME} has no to-lport ACL for them`;

const ANY = { ipVersion: 'ipv4', policy: 'allow', priority: 1, protocol: 'all' };
const HTTP = {
  ...ANY,
  remoteType: 'address',
  remoteAddress: '10.50.0.0/24',
  protocol: 'tcp',
  portRangeMin: 80,
  portRangeMax: 81,
};
const PING = { ...HTTP, protocol: 'icmp' };
const OF_GROUP = { ...ANY, remoteType: 'securityGroup', remoteSecurityGroup: 'sg-web' };
const withRules = (...rules: unknown[]) => securityGroup({ ingressRules: rules }, SYNCED);
const matching = (match: string, priority = 2299): Built<'ACL'> =>
  row('ACL', '', {
    uid: `${priority} ${match}`,
    direction: 'to-lport',
    priority,
    action: 'allow-related',
    match: `outport == @${NAME} && ${match}`,
    _parents: [{ kind: 'Port_Group', uid: group.uid, column: 'acls' }],
  });
const MATCHES = {
  http: 'ip4 && ip4.src == 10.50.0.0/24 && 80 <= tcp.dst <= 81',
  ping: 'ip4 && ip4.src == 10.50.0.0/24 && icmp4',
  ofGroup: 'ip4 && ip4.src == $ovn.sg.sg.web.associated.v4',
  ofGroupIPv6: 'ip6 && ip6.src == $ovn.sg.sg.web.associated.v6',
};

testRule(rule, {
  healthy: {
    'rules that share a priority have an ACL each': world(
      withRules(HTTP, PING, OF_GROUP, { ...OF_GROUP, ipVersion: 'ipv6' }),
      group,
      ...Object.values(MATCHES).map((it) => matching(it)),
    ),
    'two rules of which the same ACL is made': world(
      withRules(HTTP, { ...HTTP, policy: 'drop' }),
      group,
      matching(MATCHES.http),
    ),
    'one has a local address, too': world(
      withRules({ ...HTTP, localAddress: '10.16.0.5' }, PING),
      group,
      matching(
        'ip4 && ip4.src == 10.50.0.0/24 && ip4.dst == 10.16.0.5 && 80 <= tcp.dst <= 81 && 1 <= tcp.src <= 99',
      ),
      matching(MATCHES.ping),
    ),
    'what its rules match is not known to this version': world(
      withRules(
        HTTP,
        { ...HTTP, protocol: 'sctp' },
        { ...HTTP, protocol: 'udp', portRangeMin: undefined },
        { ...HTTP, remoteType: 'addressGroup' },
        { ...HTTP, remoteAddress: undefined },
        { ...OF_GROUP, remoteSecurityGroup: undefined },
      ),
      group,
      matching(MATCHES.http),
    ),
    'each of its rules has an ACL': world(
      withPriorities([1, 200]),
      group,
      ...[2299, 2100, 2005, 2004].map(into),
    ),
    'each has one as v1.17 numbers them': world(
      withPriorities([1, 16384]),
      group,
      ...[18483, 2100, 2005].map(into),
    ),
    'nothing shows how its release numbers them': world(
      withPriorities([1, 2]),
      group,
      ...[1500, 2005].map(into),
    ),
    'they may be of either numbering': world(
      withPriorities([1, 16200, 3]),
      group,
      ...[2299, 2284].map(into),
    ),
    'Kube-OVN could not write it': world(
      withPriorities([1, 2], { portGroup: NAME, ingressLastSyncSuccess: false }),
      group,
      ...[2299, 2005].map(into),
    ),
    'nobody says a priority': world(
      securityGroup({ ingressRules: [RULE] }, SYNCED),
      group,
      into(2005),
    ),
    'its group has ACLs in both directions': world(
      securityGroup(),
      group,
      acl('to-lport'),
      acl('from-lport'),
    ),
    'it has rules in one direction only': world(
      securityGroup({ ingressRules: [RULE], egressRules: [] }),
      group,
      acl('to-lport'),
    ),
    'it has no rules': world(securityGroup({ allowSameGroupTraffic: false }), group),
    'Kube-OVN has not handled it yet': world(securityGroup(undefined, {})),
    'Kube-OVN refuses its rules': world(object('SecurityGroup', 'sg-db')),
    'it is being deleted': world(
      securityGroup(undefined, undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
  },
  violation: {
    'its group is gone': {
      given: world(securityGroup(), row('Port_Group', 'ovn.sg.sg.web'), acl('to-lport')),
      summary: GONE,
    },
    'the group of one without rules is gone': { given: world(securityGroup({})), summary: GONE },
    'its group has no ACLs': {
      given: world(securityGroup(), group, acl('to-lport', 'Port_Group:other')),
      summary: [bare('to-lport'), bare('from-lport')],
      parts: ['spec=egressRules', 'spec=ingressRules'],
      concerns: [NAME],
    },
    'the ACLs of one direction are gone': {
      given: world(securityGroup(), group, acl('to-lport')),
      summary: bare('from-lport'),
    },
    'one rule of two has no ACL': {
      given: world(withPriorities([1, 2]), group, ...[2299, 2005].map(into)),
      summary: unmade(2),
      parts: ['spec.ingressRules=2'],
      concerns: [NAME],
    },
    'one rule of two has none in v1.17': {
      given: world(withPriorities([1, 2]), group, ...[18482, 2005].map(into)),
      summary: unmade(1),
    },
    'one of the rules that share a priority has none': {
      given: world(
        withRules(HTTP, PING, HTTP, OF_GROUP, { ...HTTP, priority: 3 }),
        group,
        matching(MATCHES.ping),
        into(2005),
      ),
      summary: [
        unmade(3),
        unmade('1 ip4.src == $ovn.sg.sg.web.associated.v4'),
        unmade('1 ip4.src == 10.50.0.0/24 && 80 <= tcp.dst <= 81'),
      ],
    },
    'one of them has one of another priority': {
      given: world(
        withRules(HTTP, { ...PING, priority: 2 }, { ...HTTP, priority: 2 }),
        group,
        matching(MATCHES.http),
        matching(MATCHES.ping, 2298),
      ),
      summary: unmade('2 ip4.src == 10.50.0.0/24 && 80 <= tcp.dst <= 81'),
    },
    'one for IPv6 has only that for IPv4': {
      given: world(
        withRules(OF_GROUP, { ...OF_GROUP, ipVersion: 'ipv6' }, { ...PING, ipVersion: 'ipv6' }),
        group,
        matching(MATCHES.ofGroup),
        matching(MATCHES.ping),
      ),
      summary: [
        unmade('1 ip6.src == $ovn.sg.sg.web.associated.v6'),
        unmade('1 ip6.src == 10.50.0.0/24 && icmp6'),
      ],
    },
    'only the ACLs that every group has are left': {
      given: world(withPriorities([2, 1]), group, ...[2004, 2005].map(into)),
      summary: [unmade(1), unmade(2)],
    },
    'it only lets its members reach each other, and has no ACL': {
      given: world(securityGroup({ allowSameGroupTraffic: true }), group, acl('from-lport')),
      summary: bare('to-lport'),
    },
  },
});
