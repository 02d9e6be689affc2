import { logicalSwitch, object, port, servedPod, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import { unchanged, unclaimed, value } from '../rule-kit/facts';
import rule from './orphaned-port-group';

const group = (name: string, ids: Record<string, string>): Built<'Port_Group'> =>
  row('Port_Group', name, { external_ids: { vendor: 'kube-ovn', ...ids } });
const acl = (holder: string, columns: Record<string, unknown> = {}): Built<'ACL'> =>
  row('ACL', '', {
    uid: `acl of ${holder}`,
    external_ids: { vendor: 'kube-ovn', parent: holder },
    _parents: [{ kind: 'Port_Group', uid: `Port_Group:${holder}`, column: 'acls' }],
    ...columns,
  });

const ofPolicy = group('allow.web.shop', { np: 'shop/allow-web' });
const ofNode = group('node.worker.1', { node: 'worker-1', np: 'node/worker-1' });
const ofSubnetOnNode = group('apps.worker.1', {
  subnet: 'apps',
  node: 'worker-1',
  np: 'apps/worker-1',
});
const ofSubnetAlone = group('apps.worker.1', { lr: 'ovn-cluster', ls: 'apps', u2o: 'true' });
const ofSecurityGroup = group('ovn.sg.web', { type: 'security_group', sg: 'web' });
const denyAll = group('ovn.sg.kubeovn_deny_all', {
  type: 'security_group',
  sg: 'kubeovn_deny_all',
});
const secured = (up: boolean, ...more: string[]) =>
  port('web-0.shop', { up, _port_groups: ['Port_Group:ovn.sg.web', ...more] });
/** As v1.12 makes it, and never collects it. */
const untagged = (name = 'ovn.sg.web', more: Record<string, string> = {}) =>
  row('Port_Group', name, { external_ids: { type: 'security_group', sg: 'web', ...more } });
const untaggedAcl = (columns: Record<string, unknown> = {}) =>
  row('ACL', '', {
    match: 'outport == @ovn.sg.web && arp',
    external_ids: { parent: 'ovn.sg.web' },
    _parents: [{ kind: 'Port_Group', uid: 'Port_Group:ovn.sg.web', column: 'acls' }],
    ...columns,
  });
const ofAdmin = group('deny.all', { anp: 'deny-all' });
/** Of `cnp1-dns`, or of `1-dns`, whose group Kube-OVN gives a prefix. */
const prefixed = group('cnp1.dns', { cnp: 'cnp1.dns' });
const PREFIXED = world(prefixed).fold().entity('Port_Group', prefixed.uid)!;
const ofGateway = group('VEG.9c815f557c4d', { 'vpc-egress-gateway': 'edge/out', af: '4' });

/** A router policy for a subnet's pods on a node, which names the set of the group of both. */
const reroute = (subnet: string, node: string): readonly Built[] => [
  row('Logical_Router', 'ovn-cluster', { external_ids: { vendor: 'kube-ovn' } }),
  row('Logical_Router_Policy', '', {
    uid: 'reroute',
    priority: 29000,
    match: 'ip4.src == $apps.worker.1_ip4',
    external_ids: { vendor: 'kube-ovn', subnet, node },
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:ovn-cluster', column: 'policies' }],
  }),
];

testRule(rule, {
  healthy: {
    'its policy exists': world(ofPolicy, object('NetworkPolicy', 'shop/allow-web')),
    "its policy's name got the prefix np": world(
      group('np1.shop', { np: 'shop/np1' }),
      object('NetworkPolicy', 'shop/1'),
    ),
    'its policy really begins with np': world(
      group('np1.shop', { np: 'shop/np1' }),
      object('NetworkPolicy', 'shop/np1'),
    ),
    'its node exists': world(ofNode, object('Node', 'worker-1')),
    'its keys can mean a policy in a namespace called node': world(
      ofNode,
      object('NetworkPolicy', 'node/worker-1'),
    ),
    'its subnet and node exist': world(
      ofSubnetOnNode,
      object('Subnet', 'apps'),
      object('Node', 'worker-1'),
    ),
    'its keys can mean a policy in a namespace called like the subnet': world(
      ofSubnetOnNode,
      object('NetworkPolicy', 'apps/worker-1'),
    ),
    "its policy's keys can mean a subnet on a node": world(
      ofPolicy,
      object('Subnet', 'shop'),
      object('Node', 'allow-web'),
    ),
    'its subnet exists and no key names its node': world(
      ofSubnetAlone,
      object('Subnet', 'apps'),
      object('Node', 'worker-1'),
    ),
    'its security group exists': world(ofSecurityGroup, object('SecurityGroup', 'web')),
    'it is a built-in security group': world(
      group('ovn.sg.kubeovn_deny_all', { type: 'security_group', sg: 'kubeovn_deny_all' }),
      group('ovn.sg.default.securitygroup', {
        type: 'security_group',
        sg: 'default-securitygroup',
      }),
    ),
    'its egress gateway exists': world(ofGateway, object('VpcEgressGateway', 'edge/out')),
    'the administrator’s policy exists': world(
      group('block', { cnp: 'block' }),
      object('ClusterNetworkPolicy', 'block'),
    ),
    'the administrator’s policy exists, of whose name the key has dots for dashes': world(
      group('allow.dns', { cnp: 'allow.dns' }),
      object('ClusterNetworkPolicy', 'allow-dns'),
    ),
    'its keys and its name disagree': world(group('something', { np: 'shop/allow-web' })),
    'it names nobody': world(group('lonely', {})),
    'its key names half an owner': world(
      group('allow.web.shop', { np: 'shop/' }),
      group('x', { np: 'x' }),
      group('x', { np: 'a/b/c/d' }),
    ),
    'it has no tag, as before 1.15': world(
      row('Port_Group', 'allow.web.shop', { external_ids: { np: 'shop/allow-web' } }),
    ),
    'it has no tag, and its security group exists': world(
      untagged(),
      object('SecurityGroup', 'web'),
    ),
    'it has no tag, and its name is not of its key': world(untagged('web_sg')),
    'it has no tag, and a key of others': world(
      untagged('ovn.sg.web', { 'neutron:security_group_id': 'x' }),
    ),
    'it has no tag, and a port is in it': world(
      untagged(),
      object('Subnet', 'apps'),
      logicalSwitch(),
      secured(true),
      ...servedPod('shop/other-0'),
    ),
    "it has no tag, and an ACL of somebody else's is in it": world(
      untagged(),
      untaggedAcl(),
      untaggedAcl({ uid: 'foreign', external_ids: { 'neutron:security_group_rule_id': 'x' } }),
    ),
    'it has no tag, and an ACL in it is of another group': world(
      untagged(),
      untaggedAcl({ external_ids: { parent: 'ovn.sg.db' } }),
    ),
    "it has no tag, and an ACL of somebody else's names it": world(
      untagged(),
      row('ACL', '', {
        uid: 'foreign',
        match: 'outport == @ovn.sg.web',
        external_ids: { 'neutron:security_group_rule_id': 'x' },
      }),
    ),
    "a port of somebody else's is in it": world(
      ofPolicy,
      logicalSwitch('net', {}),
      port('vm-port', {
        ls: 'net',
        external_ids: { 'neutron:port_name': 'x' },
        _port_groups: ['Port_Group:allow.web.shop'],
      }),
    ),
    "an ACL of somebody else's is in it": world(
      ofPolicy,
      acl('allow.web.shop', { external_ids: { 'neutron:security_group_rule_id': 'x' } }),
    ),
    "an ACL of somebody else's names it": world(
      ofPolicy,
      row('ACL', '', {
        uid: 'foreign',
        match: 'outport == @allow.web.shop',
        external_ids: { 'neutron:security_group_rule_id': 'x' },
      }),
    ),
  },
  unknown: {
    'its node is gone, and ports of its subnet are still in it': world(
      ofSubnetAlone,
      object('Subnet', 'apps'),
      logicalSwitch(),
      port('web-0.shop', { _port_groups: ['Port_Group:apps.worker.1'] }),
    ),
    'its node is gone, and the policy that reads it is of one that exists': world(
      ofSubnetAlone,
      object('Subnet', 'apps'),
      object('Node', 'worker-2'),
      row('Logical_Router', 'ovn-cluster', { external_ids: { vendor: 'kube-ovn' } }),
      row('Logical_Router_Policy', '', {
        uid: 'reroute',
        priority: 29400,
        match: 'ip4.src == $apps.worker.1_ip4 && ip4.dst == 10.96.0.0/12',
        external_ids: { vendor: 'kube-ovn', subnet: 'apps', node: 'worker-2' },
        _parents: [
          { kind: 'Logical_Router', uid: 'Logical_Router:ovn-cluster', column: 'policies' },
        ],
      }),
    ),
    'an admin policy of that name has a rule in it': world(ofPolicy, {
      ...acl('allow.web.shop'),
      name: 'anp/allow-web.shop/ingress/0/0',
    }),
    'a rule in it is in the tier of admin policies': world(
      ofPolicy,
      acl('allow.web.shop', { tier: 1 }),
    ),
    'a rule in it is in the tier of baseline policies': world(
      ofPolicy,
      acl('allow.web.shop', { tier: 3 }),
    ),
    'policies are not listed': world(ofPolicy).unlisted('NetworkPolicy'),
    'policies of administrators are not listed': world(ofAdmin).unlisted('AdminNetworkPolicy'),
    'another policy’s group has this name': world(
      ofAdmin,
      object('BaselineAdminNetworkPolicy', 'deny.all'),
    ),
    'an administrator’s policy of another kind would have a group of this name': world(
      group('allow.dns', { cnp: 'allow.dns' }),
      object('AdminNetworkPolicy', 'allow-dns'),
    ),
    "nodes are not listed, and it may be a node's": world(ofNode).unheardOf('Node'),
    'egress gateways are installed but not listed': world(ofGateway).unlisted('VpcEgressGateway'),
    'a router policy names it that the pods of its subnet need, which was deleted by force': world(
      ofSubnetOnNode,
      object('Node', 'worker-1'),
      logicalSwitch(),
      port('web-0.shop', { up: true, _port_groups: ['Port_Group:apps.worker.1'] }),
      object('Pod', 'shop/web-0'),
      object('Subnet', 'other', { spec: { cidrBlock: '10.18.0.0/16' } }),
      logicalSwitch('other'),
      port('db-0.shop', { ls: 'other' }),
      ...reroute('apps', 'worker-1'),
    ),
    'a router policy that lives on names it': world(
      ofSubnetOnNode,
      object('Subnet', 'apps'),
      object('Subnet', 'other'),
      object('Node', 'worker-2'),
      ...reroute('other', 'worker-2'),
    ),
  },
  violation: {
    'its subnet exists, and no node has the other half of its name': {
      given: world(ofSubnetAlone, object('Subnet', 'apps'), object('Node', 'worker-2')),
      summary:
        'port group apps.worker.1 is of a Subnet on a Node that is called worker.1 in OVN, where - becomes ., and no such Node exists',
    },
    'its subnet is gone as well, and no key names its node': {
      given: world(ofSubnetAlone),
      summary: 'port group apps.worker.1 belongs to Subnet apps, which no longer exists',
    },
    'the administrator’s policy is gone': {
      given: world(ofAdmin, {
        ...acl('deny.all', { tier: 1 }),
        name: 'anp/deny-all/ingress/IPv4/0',
      }),
      summary: 'port group deny.all belongs to AdminNetworkPolicy deny-all, which no longer exists',
      concerns: ['anp/deny-all/ingress/IPv4/0'],
    },
    'the ClusterNetworkPolicy is gone, of whose name the key has dots for dashes, if any': {
      given: world(group('allow.dns', { cnp: 'allow.dns' })),
      summary:
        'port group allow.dns belongs to a ClusterNetworkPolicy that is called allow.dns in OVN, where - becomes ., and no such policy exists',
    },
    'no ClusterNetworkPolicy is called so, with or without the prefix': {
      given: world(prefixed),
      summary:
        'port group cnp1.dns belongs to a ClusterNetworkPolicy that is called cnp1.dns in OVN, where - becomes ., and no such policy exists',
      proof: [
        unclaimed('ClusterNetworkPolicy', 'metadata.name, with . for -', 'cnp1.dns'),
        unclaimed('ClusterNetworkPolicy', 'metadata.name, with . for -', '1.dns'),
        value(PREFIXED, 'external_ids', '{"vendor":"kube-ovn","cnp":"cnp1.dns"}'),
        unchanged(PREFIXED),
      ],
    },
    'the ClusterNetworkPolicy is gone, whose name can have been no other': {
      given: world(group('block', { cnp: 'block' })),
      summary: 'port group block belongs to ClusterNetworkPolicy block, which no longer exists',
    },
    'such policies are not even installed': {
      given: world(ofAdmin).notInstalled('AdminNetworkPolicy', 'ClusterNetworkPolicy'),
      summary: 'port group deny.all belongs to AdminNetworkPolicy deny-all, which no longer exists',
    },
    'its policy is gone': {
      given: world(
        ofPolicy,
        acl('allow.web.shop'),
        object('NetworkPolicy', 'other/allow-web'),
        object('NetworkPolicy', 'shop/allow'),
      ),
      summary:
        'port group allow.web.shop belongs to NetworkPolicy shop/allow-web, which no longer exists',
      concerns: ['acl of allow.web.shop'],
    },
    'its own ACLs name it': {
      given: world(ofPolicy, acl('allow.web.shop', { match: 'outport == @allow.web.shop && ip4' })),
      summary:
        'port group allow.web.shop belongs to NetworkPolicy shop/allow-web, which no longer exists',
    },
    "ports of Kube-OVN's are still in it": {
      given: world(
        ofPolicy,
        logicalSwitch(),
        port('web-0.shop', { _port_groups: ['Port_Group:allow.web.shop'] }),
      ),
      summary:
        'port group allow.web.shop belongs to NetworkPolicy shop/allow-web, which no longer exists',
    },
    'its node is gone': {
      given: world(ofNode, object('Node', 'worker-2'), object('Subnet', 'node')),
      summary: 'port group node.worker.1 belongs to Node worker-1, which no longer exists',
    },
    'its node is gone, its subnet is not': {
      given: world(ofSubnetOnNode, object('Subnet', 'apps')),
      summary: 'port group apps.worker.1 belongs to Node worker-1, which no longer exists',
    },
    'its subnet is gone, its node is not': {
      given: world(ofSubnetOnNode, object('Node', 'worker-1')),
      summary: 'port group apps.worker.1 belongs to Subnet apps, which no longer exists',
    },
    'its router policy is as dead': {
      given: world(ofSubnetOnNode, object('Subnet', 'apps'), ...reroute('apps', 'worker-1')),
      summary: 'port group apps.worker.1 belongs to Node worker-1, which no longer exists',
    },
    'its security group is gone': {
      given: world(ofSecurityGroup, object('SecurityGroup', 'we.b')),
      summary: 'port group ovn.sg.web belongs to SecurityGroup web, which no longer exists',
    },
    'it has no tag, as before 1.15, and its security group is gone: nothing is removed': {
      given: world(untagged(), untaggedAcl(), object('SecurityGroup', 'we.b')),
      summary: 'port group ovn.sg.web belongs to SecurityGroup web, which no longer exists',
      noRemedy: true,
    },
    'its rules are in the tier of security groups and may be of another': {
      given: world(ofSecurityGroup, acl('ovn.sg.web', { tier: 3 })),
      summary: 'port group ovn.sg.web belongs to SecurityGroup web, which no longer exists',
    },
    "its rules may be all that lets a pod's traffic through": {
      given: world(
        object('Subnet', 'apps'),
        ofSecurityGroup,
        denyAll,
        logicalSwitch(),
        secured(true, denyAll.uid),
        ...servedPod('shop/other-0'),
      ),
      summary:
        'port group ovn.sg.web belongs to SecurityGroup web, which no longer exists; without its rules port web-0.shop, which is up and in ovn.sg.kubeovn_deny_all as well, gets through only what other groups let through',
      action: 'delete-port-group',
    },
    'the port in it is up, and nothing drops its traffic': {
      given: world(
        object('Subnet', 'apps'),
        ofSecurityGroup,
        denyAll,
        logicalSwitch(),
        secured(true),
        ...servedPod('shop/other-0'),
      ),
      summary: 'port group ovn.sg.web belongs to SecurityGroup web, which no longer exists',
      action: 'delete-port-group',
    },
    'the port in it is down': {
      given: world(ofSecurityGroup, denyAll, logicalSwitch(), secured(false, denyAll.uid)),
      summary: 'port group ovn.sg.web belongs to SecurityGroup web, which no longer exists',
      action: 'delete-port-group',
    },
    'its egress gateway is gone': {
      given: world(ofGateway, object('VpcEgressGateway', 'edge/other')),
      summary:
        'port group VEG.9c815f557c4d belongs to VpcEgressGateway edge/out, which no longer exists',
    },
    'its egress gateway cannot exist: the kind is not installed': {
      given: world(ofGateway).notInstalled('VpcEgressGateway'),
      summary:
        'port group VEG.9c815f557c4d belongs to VpcEgressGateway edge/out, which no longer exists',
    },
  },
});
