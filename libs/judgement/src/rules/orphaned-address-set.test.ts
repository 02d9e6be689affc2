import { logicalSwitch, object, port, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-address-set';

const VENDOR = { vendor: 'kube-ovn' };
const set = (name: string, ids: Record<string, string>): Built<'Address_Set'> =>
  row('Address_Set', name, { external_ids: { ...VENDOR, ...ids }, addresses: ['10.17.0.10'] });
const group = (name: string, ids: Record<string, string>): Built<'Port_Group'> =>
  row('Port_Group', name, { external_ids: { ...VENDOR, ...ids } });
const aclNaming = (
  name: string,
  holder: string,
  columns: Record<string, unknown> = {},
): Built<'ACL'> =>
  row('ACL', '', {
    uid: `acl of ${holder}`,
    match: `ip4.src == $${name}`,
    external_ids: { ...VENDOR, parent: holder },
    _parents: [{ kind: 'Port_Group', uid: `Port_Group:${holder}`, column: 'acls' }],
    ...columns,
  });

const ofPolicy = set('allow.shop.ingress.allow.IPv4.0', { np: 'shop/allow/ingress' });
const ofSecurityGroup = set('ovn.sg.web.associated.v4', { sg: 'web' });
const ofPool = set('front.pool', { ippool: 'front-pool' });
const ofUnderlay = set('legacy.u2o_exclude_ip.ip4', { isU2ORoutePolicy: 'true', subnet: 'legacy' });
const ofVpc = set('tenant.a.u2o_overlay_cidrs.ip4', { isU2OOverlayCIDRs: 'true', vpc: 'tenant-a' });
const ofGateway = set('VEG.9c815f557c4d.ipv4', { 'vpc-egress-gateway': 'edge/out', af: '4' });
const ofAdmin = set('deny.all.egress.0..IPv4', { anp: 'deny-all/egress' });
const untagged = (name = 'deny.all.egress.0..IPv4', more: Record<string, string> = {}) =>
  row('Address_Set', name, { external_ids: { anp: 'deny-all/egress', ...more } });
const router = row('Logical_Router', 'ovn-cluster', { external_ids: VENDOR });
const underlayPolicy = (columns: Record<string, unknown> = {}): Built =>
  row('Logical_Router_Policy', '', {
    uid: 'underlay policy',
    priority: 31000,
    match: 'ip4.dst == $legacy.u2o_exclude_ip.ip4 && ip4.src == 10.80.0.0/24',
    external_ids: { ...VENDOR, isU2ORoutePolicy: 'true', subnet: 'legacy' },
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:ovn-cluster', column: 'policies' }],
    ...columns,
  });

/** Which shows that Subnets were read. */
const otherSubnet = [
  object('Subnet', 'other', { spec: { cidrBlock: '10.18.0.0/16' } }),
  logicalSwitch('other'),
  port('db-0.shop', { ls: 'other' }),
  object('Pod', 'shop/vm'),
];

testRule(rule, {
  healthy: {
    'its policy exists': world(ofPolicy, object('NetworkPolicy', 'shop/allow')),
    "its policy's name got the prefix np": world(
      set('np1.shop.egress.except.IPv6.all', { np: 'shop/np1/egress' }),
      object('NetworkPolicy', 'shop/1'),
    ),
    'its security group exists': world(ofSecurityGroup, object('SecurityGroup', 'web')),
    'its pool exists': world(ofPool, object('IPPool', 'front-pool')),
    'its subnet exists': world(ofUnderlay, object('Subnet', 'legacy')),
    'its VPC exists': world(ofVpc, object('Vpc', 'tenant-a')),
    'its egress gateway exists': world(ofGateway, object('VpcEgressGateway', 'edge/out')),
    'the administrator’s policy exists': world(
      set('anp1.ingress.0.a.b.IPv4', { banp: 'anp1/ingress' }),
      object('BaselineAdminNetworkPolicy', '1'),
    ),
    'its keys and its name disagree': world(set('web_sg_v4', { sg: 'web' })),
    'it has no tag, as before 1.15': world(
      row('Address_Set', 'allow.shop.ingress.allow.IPv4.0', {
        external_ids: { np: 'shop/allow/ingress' },
      }),
    ),
    'it has no tag, and its policy exists': world(
      untagged(),
      object('AdminNetworkPolicy', 'deny-all'),
    ),
    'it has no tag, and its name is not of its key': world(untagged('deny.some.egress.0..IPv4')),
    'it has no tag, and a key of others': world(
      untagged('deny.all.egress.0..IPv4', { 'neutron:x': 'y' }),
    ),
    'it has no tag, and a column that is not known': world(
      row('Address_Set', 'deny.all.egress.0..IPv4', {
        external_ids: { anp: 'deny-all/egress' },
        owners: ['somebody'],
      }),
    ),
    'it has no tag, and a person keeps it': world(
      untagged('deny.all.egress.0..IPv4', { 'ovn-steward.dev/protect': 'yes' }),
    ),
    "it has no tag, and an ACL of somebody else's names it": world(
      untagged(),
      row('ACL', '', {
        uid: 'foreign',
        match: 'ip4.dst == $deny.all.egress.0..IPv4',
        external_ids: { 'neutron:security_group_rule_id': 'x' },
      }),
    ),
    'it has no tag, and its security group exists': world(
      row('Address_Set', 'ovn.sg.web.associated.v4', { external_ids: { sg: 'web' } }),
      object('SecurityGroup', 'web'),
    ),
    "an ACL of somebody else's names it": world(
      ofPolicy,
      row('ACL', '', {
        uid: 'foreign',
        match: 'ip4.src == $allow.shop.ingress.allow.IPv4.0',
        external_ids: { 'neutron:security_group_rule_id': 'x' },
      }),
    ),
    'a hand-made router policy names it': world(
      ofUnderlay,
      router,
      underlayPolicy({ external_ids: {} }),
    ),
  },
  unknown: {
    'policies are not listed': world(ofPolicy).unheardOf('NetworkPolicy'),
    'policies of administrators are not listed': world(ofAdmin).unlisted('ClusterNetworkPolicy'),
    'another policy’s sets have these names': world(
      ofAdmin,
      object('ClusterNetworkPolicy', 'deny.all'),
    ),
    'pools are installed but not listed': world(ofPool).unlisted('IPPool'),
    'an ACL of a living group names it': world(
      ofPolicy,
      group('other.shop', { np: 'shop/other' }),
      aclNaming('allow.shop.ingress.allow.IPv4.0', 'other.shop'),
      object('NetworkPolicy', 'shop/other'),
    ),
    'an ACL of a group names it that is a living SecurityGroup’s as well': world(
      ofSecurityGroup,
      group('ovn.sg.team.db', { type: 'security_group', sg: 'team-db' }),
      aclNaming('ovn.sg.web.associated.v4', 'ovn.sg.team.db'),
      object('SecurityGroup', 'team.db'),
    ),
    'an ACL on a switch names it': world(
      ofPolicy,
      logicalSwitch(),
      object('Subnet', 'apps'),
      aclNaming('allow.shop.ingress.allow.IPv4.0', 'apps', {
        _parents: [{ kind: 'Logical_Switch', uid: 'Logical_Switch:apps', column: 'acls' }],
      }),
    ),
    "the group whose ACL names it is of a dead policy but kept: somebody else's port is in it":
      world(
        ofPolicy,
        group('allow.shop', { np: 'shop/allow' }),
        aclNaming('allow.shop.ingress.allow.IPv4.0', 'allow.shop'),
        logicalSwitch('net', {}),
        port('vm-port', {
          ls: 'net',
          external_ids: { 'neutron:port_name': 'x' },
          _port_groups: ['Port_Group:allow.shop'],
        }),
      ),
    'a router policy of a living subnet names it': world(
      ofUnderlay,
      router,
      underlayPolicy({
        external_ids: { ...VENDOR, isU2ORoutePolicy: 'true', subnet: 'other' },
      }),
      object('Subnet', 'other'),
    ),
    'a router policy names it that the pods of its subnet need, which was deleted by force': world(
      ofUnderlay,
      router,
      underlayPolicy(),
      logicalSwitch('legacy'),
      port('vm.shop', { ls: 'legacy', up: true }),
      ...otherSubnet,
    ),
    'a router policy a user asked for names it': world(
      ofUnderlay,
      router,
      underlayPolicy(),
      object('Vpc', 'ovn-cluster', {
        spec: {
          policyRoutes: [
            {
              priority: 31000,
              match: 'ip4.dst == $legacy.u2o_exclude_ip.ip4 && ip4.src == 10.80.0.0/24',
              action: 'allow',
            },
          ],
        },
      }),
    ),
  },
  violation: {
    'it has no tag, as before 1.15, and its security group is gone: nothing is removed': {
      given: world(
        row('Address_Set', 'ovn.sg.web.associated.v4', { external_ids: { sg: 'web' } }),
        object('SecurityGroup', 'we.b'),
      ),
      summary:
        'address set ovn.sg.web.associated.v4 belongs to SecurityGroup web, which no longer exists',
      noRemedy: true,
    },
    'it has no tag, as before 1.15, and the administrator’s policy is gone: nothing is removed': {
      given: world(untagged(), object('BaselineAdminNetworkPolicy', 'default')),
      summary:
        'address set deny.all.egress.0..IPv4 belongs to AdminNetworkPolicy deny-all, which no longer exists',
      noRemedy: true,
    },
    'the administrator’s policy is gone': {
      given: world(
        ofAdmin,
        group('deny.all', { anp: 'deny-all' }),
        aclNaming('deny.all.egress.0..IPv4', 'deny.all'),
        object('BaselineAdminNetworkPolicy', 'default'),
      ),
      summary:
        'address set deny.all.egress.0..IPv4 belongs to AdminNetworkPolicy deny-all, which no longer exists',
    },
    'its policy is gone': {
      given: world(ofPolicy, object('NetworkPolicy', 'other/allow')),
      summary:
        'address set allow.shop.ingress.allow.IPv4.0 belongs to NetworkPolicy shop/allow, which no longer exists',
    },
    'only ACLs of the same dead policy name it': {
      given: world(
        ofPolicy,
        group('allow.shop', { np: 'shop/allow' }),
        aclNaming('allow.shop.ingress.allow.IPv4.0', 'allow.shop'),
      ),
      summary:
        'address set allow.shop.ingress.allow.IPv4.0 belongs to NetworkPolicy shop/allow, which no longer exists',
    },
    'only ACLs of another dead group name it': {
      given: world(
        ofSecurityGroup,
        group('ovn.sg.db', { type: 'security_group', sg: 'db' }),
        aclNaming('ovn.sg.web.associated.v4', 'ovn.sg.db'),
      ),
      summary:
        'address set ovn.sg.web.associated.v4 belongs to SecurityGroup web, which no longer exists',
    },
    'only a router policy of the same dead subnet names it': {
      given: world(ofUnderlay, router, underlayPolicy()),
      summary:
        'address set legacy.u2o_exclude_ip.ip4 belongs to Subnet legacy, which no longer exists',
    },
    'its pool is gone': {
      given: world(ofPool, object('IPPool', 'front')),
      summary: 'address set front.pool belongs to IPPool front-pool, which no longer exists',
    },
    'its VPC is gone': {
      given: world(ofVpc),
      summary:
        'address set tenant.a.u2o_overlay_cidrs.ip4 belongs to Vpc tenant-a, which no longer exists',
    },
    'its egress gateway is gone': {
      given: world(ofGateway),
      summary:
        'address set VEG.9c815f557c4d.ipv4 belongs to VpcEgressGateway edge/out, which no longer exists',
    },
  },
});
