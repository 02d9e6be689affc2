import { type Built, object, port, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './network-policy-without-acls';

const policy = (
  spec: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
): Built<'NetworkPolicy'> =>
  object('NetworkPolicy', 'shop/allow-web', {
    spec: { podSelector: {}, policyTypes: ['Ingress'], ...spec },
    metadata,
  });
const BOTH = { policyTypes: ['Ingress', 'Egress'] };
const group = row('Port_Group', 'allow.web.shop', {
  external_ids: { vendor: 'kube-ovn', np: 'shop/allow-web' },
});
const member = port('web-0.shop', { _port_groups: [group.uid] });
const acl = (direction: string, action: string, holder = group.uid): Built<'ACL'> =>
  row('ACL', '', {
    uid: `${direction} ${action} ${holder}`,
    direction,
    action,
    priority: 2000,
    _parents: [{ kind: 'Port_Group', uid: holder, column: 'acls' }],
  });
const peers = (
  rule: number,
  family = 'IPv4',
  addresses: readonly string[] = ['10.17.0.10'],
): Built<'Address_Set'> =>
  row('Address_Set', `allow.web.shop.ingress.allow.${family}.${rule}`, { addresses });
const aclFor = (rule: number): Built<'ACL'> =>
  row('ACL', '', {
    uid: `rule ${rule}`,
    direction: 'to-lport',
    action: 'allow-related',
    match: `outport == @allow.web.shop && ip && ip4.src == $allow.web.shop.ingress.allow.IPv4.${rule}`,
    _parents: [{ kind: 'Port_Group', uid: group.uid, column: 'acls' }],
  });
const unenforced = (rule: number) =>
  `ingress rule ${rule} of NetworkPolicy shop/allow-web is not enforced: no ACL of port group allow.web.shop names its peers, address set allow.web.shop.ingress.allow.IPv4.${rule}`;
const controller = (flags: readonly string[] = [], metadata: Record<string, unknown> = {}) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { template: { spec: { flags } } },
    metadata,
  });
const given = (...built: Built[]) => world(controller(), ...built);
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const GONE =
  'NetworkPolicy shop/allow-web has no port group: allow.web.shop does not exist, and nothing of the policy is enforced';
const bare = (direction: string, type: string) =>
  `port group allow.web.shop of NetworkPolicy shop/allow-web has ports and no ${direction} ACL that drops: nothing of the policy's ${type} is enforced`;

testRule(rule, {
  healthy: {
    'its group drops what no rule allows': given(policy(), group, member, acl('to-lport', 'drop')),
    'it drops in both directions': given(
      policy(BOTH),
      group,
      member,
      acl('to-lport', 'drop'),
      acl('from-lport', 'drop'),
    ),
    'it selects no pod, so that its group has neither ports nor ACLs': given(
      policy(),
      group,
      port('web-0.shop', { _port_groups: ['Port_Group:other'] }),
    ),
    'for what it is was not read': given(policy({ policyTypes: undefined }), group, member),
    'it is for nothing that this version knows': given(policy({ policyTypes: ['Sideways'] })),
    'the set of a rule for a block is of peers that it had before': given(
      policy({ ingress: [{ from: [{ ipBlock: { cidr: '192.168.7.0/24' } }] }] }),
      group,
      member,
      acl('to-lport', 'drop'),
      peers(0),
    ),
    'it is being deleted': given(policy({}, DELETED), group, member),
    'its group is gone while it is being deleted': given(policy({}, DELETED)),
    'the controller makes no groups': world(controller(['--enable-np=false']), policy()),
    'the controller enforces nothing': world(
      controller(['--enable-np=false']),
      policy(),
      group,
      member,
    ),
    'no controller runs in the cluster': world(policy(), group, member),
    'the peers of its rules have ACLs, or no addresses': given(
      policy({ ingress: [{}, { ports: [{ port: 80 }] }] }),
      group,
      member,
      acl('to-lport', 'drop'),
      peers(0),
      aclFor(0),
      peers(1, 'IPv4', []),
    ),
    'a rule names only ports by name': given(
      policy({ ingress: [{ ports: [{ port: 'http' }] }] }),
      group,
      member,
      acl('to-lport', 'drop'),
      peers(0),
    ),
    'addresses of a family are left that its pods had': given(
      policy({ ingress: [{}] }),
      group,
      member,
      acl('to-lport', 'drop'),
      peers(0),
      aclFor(0),
      peers(0, 'IPv6'),
    ),
    'no controller made its group': world(policy()),
    'the controller is being taken away': world(controller([], DELETED), policy(), group, member),
  },
  violation: {
    'a block of a rule is in its set, as in older releases': {
      given: given(
        policy({ ingress: [{ from: [{ ipBlock: { cidr: '192.168.7.0/24' } }] }] }),
        group,
        member,
        acl('to-lport', 'drop'),
        peers(0, 'IPv4', ['192.168.7.0/24']),
      ),
      summary: unenforced(0),
    },
    'its group is gone': { given: given(policy(BOTH), member), summary: GONE },
    'its group is gone, and the controller is set to enforce policies': {
      given: world(controller(['--enable-np=true']), policy()),
      summary: GONE,
    },
    'its group has no ACLs': {
      given: given(policy(BOTH), group, member),
      summary: [bare('to-lport', 'Ingress'), bare('from-lport', 'Egress')],
      parts: ['spec.policyTypes=Egress', 'spec.policyTypes=Ingress'],
      concerns: ['allow.web.shop'],
    },
    'only rules that allow are left, and those of others': {
      given: given(
        policy(BOTH),
        group,
        member,
        acl('to-lport', 'allow-related'),
        acl('to-lport', 'drop', 'Port_Group:other'),
        acl('from-lport', 'drop'),
      ),
      summary: bare('to-lport', 'Ingress'),
    },
    'a rule has no ACL': {
      given: given(
        policy({ ingress: [{}, { ports: [{ port: 80 }] }] }),
        group,
        member,
        acl('to-lport', 'drop'),
        peers(0),
        peers(1),
        aclFor(1),
      ),
      summary: unenforced(0),
      parts: ['spec.ingress=0 allow.web.shop.ingress.allow.IPv4.0'],
      concerns: ['allow.web.shop', 'allow.web.shop.ingress.allow.IPv4.0'],
    },
    'its only rule has no ACL': {
      given: given(policy({ ingress: [{}] }), group, member, acl('to-lport', 'drop'), peers(0)),
      summary: unenforced(0),
    },
    'its name does not begin with a letter': {
      given: given(object('NetworkPolicy', 'shop/0-deny', { spec: { policyTypes: ['Egress'] } })),
      summary: GONE.replace('allow-web', '0-deny').replace('allow.web', 'np0.deny'),
    },
  },
});
