import { RELATIONS } from '../relations/registry';
import { cell } from '../world/cell';
import { World } from '../world/world';
import { KindBits } from '../rule-kit/declared-kinds';
import { View } from '../rule-kit/view';
import { type Built, logicalSwitch, object, pod, port, row } from '../testing/builders';
import { History } from '../testing/history';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './missing-port-group-member';

const policy = (
  podSelector: Record<string, unknown> | undefined = { matchLabels: { app: 'web' } },
  metadata: Record<string, unknown> = {},
  key = 'shop/allow-web',
): Built<'NetworkPolicy'> =>
  object('NetworkPolicy', key, { spec: podSelector ? { podSelector } : {}, metadata });
const ANNOTATIONS = {
  'ovn.kubernetes.io/allocated': 'true',
  'ovn.kubernetes.io/logical_switch': 'apps',
};
const web = (
  annotations: Record<string, string> = {},
  over: Record<string, unknown> = {},
  key = 'shop/web-0',
): Built<'Pod'> =>
  pod(key, {
    metadata: { labels: { app: 'web' }, annotations: { ...ANNOTATIONS, ...annotations } },
    ...over,
  });
const secured = (groups: string) => web({ 'ovn.kubernetes.io/security_groups': groups });
const group = (name = 'allow.web.shop') =>
  row('Port_Group', name, { external_ids: { vendor: 'kube-ovn' } });
const securityGroup = (name: string, over: Record<string, unknown> = {}) =>
  object('SecurityGroup', name, { status: { portGroup: `ovn.sg.${name}` }, ...over });
const member = (...groups: string[]) =>
  port('web-0.shop', { _port_groups: groups.map((it) => `Port_Group:${it}`) });
const keyed = (keys: Record<string, string>) =>
  port('web-0.shop', {
    external_ids: { vendor: 'kube-ovn', pod: 'shop/web-0', ls: 'apps', ...keys },
  });
const controller = (flags: readonly string[] = []) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { template: { spec: { flags } } },
  });
const given = (...built: Built[]) => world(controller(), logicalSwitch(), ...built);
const shop = object('Namespace', 'shop', { metadata: { labels: { tier: 'front' } } });
const FRONT = { matchLabels: { tier: 'front' } };
const admin = (
  subject: Record<string, unknown> = { namespaces: FRONT },
  metadata: Record<string, unknown> = {},
) => object('AdminNetworkPolicy', 'deny-all', { metadata, spec: { subject } });
const cluster = (name: string, subject: Record<string, unknown> = { namespaces: FRONT }) =>
  object('ClusterNetworkPolicy', name, { spec: { subject } });
const adminGroup = (ids: Record<string, string> = { anp: 'deny-all' }) =>
  row('Port_Group', 'deny.all', { external_ids: { vendor: 'kube-ovn', ...ids } });
const enforcing = (...built: Built[]) =>
  world(controller(['--enable-anp=true']), logicalSwitch(), ...built);
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const SELECTED =
  'port web-0.shop is not in port group allow.web.shop, though NetworkPolicy shop/allow-web selects pod shop/web-0';
const DENY_ALL = 'ovn.sg.kubeovn_deny_all';
const named = (name: string, group = `ovn.sg.${name}`) =>
  `port web-0.shop is not in port group ${group}, though pod shop/web-0 is to be in SecurityGroup ${name}`;
const keyless = (name: string, group?: string) =>
  `${named(name, group)}, whose key associated_sg_${name} the port lacks`;

testRule(rule, {
  healthy: {
    'it is in the group of its policy': given(policy(), web(), group(), member('allow.web.shop')),
    'its policy does not select the pod': given(
      policy({ matchLabels: { app: 'db' } }),
      web(),
      group(),
      member(),
    ),
    'the policy is of another namespace': given(
      policy({}, {}, 'shops/allow-web'),
      web(),
      group('allow.web.shops'),
      member(),
    ),
    'what its policy selects is not known': given(
      policy({ matchExpressions: [{ key: 'app', operator: 'Like' }] }),
      web(),
      group(),
      member(),
    ),
    'what its policy selects was not read': given(
      object('NetworkPolicy', 'shop/allow-web', { spec: {} }),
      web(),
      group(),
      member(),
    ),
    'the policy is for another network of the pod': given(
      policy({}, { annotations: { 'ovn.kubernetes.io/network_policy_for': 'nets/blue' } }),
      web(),
      group(),
      member(),
    ),
    'the policy is for the other network of the pod': given(
      policy({}, { annotations: { 'ovn.kubernetes.io/network_policy_for': 'ovn' } }),
      web({
        'blue.nets.ovn.kubernetes.io/allocated': 'true',
        'blue.nets.ovn.kubernetes.io/logical_switch': 'blue',
      }),
      group(),
      member('allow.web.shop'),
      port('web-0.shop.blue.nets.ovn'),
    ),
    'the policy is being deleted': given(policy({}, DELETED), web(), group(), member()),
    'the whole group is gone': given(policy(), web(), member()),
    'the pod has ended': given(
      policy(),
      web({}, { status: { phase: 'Failed' } }),
      group(),
      member(),
    ),
    'the pod is being deleted': given(
      policy(),
      pod('shop/web-0', {
        metadata: { labels: { app: 'web' }, annotations: ANNOTATIONS, ...DELETED },
      }),
      group(),
      member(),
    ),
    'the pod uses the network of its node': given(
      policy(),
      web({}, { spec: { hostNetwork: true } }),
      group(),
      member(),
    ),
    'the pod has no address yet': given(
      policy(),
      web({ 'ovn.kubernetes.io/allocated': '' }),
      group(),
      member(),
    ),
    'there is no pod': given(policy(), group(), member()),
    'the pod has no port yet': given(policy(), web(), group()),
    'it is a port of another kind': given(
      policy(),
      web(),
      group(),
      port('web-0.shop', { type: 'virtual' }),
    ),
    'it is not Kube-OVN’s': given(
      policy(),
      web(),
      group(),
      port('web-0.shop', { external_ids: { pod: 'shop/web-0' } }),
    ),
    'the controller enforces no policies': world(
      controller(['--enable-np=false']),
      logicalSwitch(),
      policy(),
      web(),
      group(),
      member(),
    ),
    'it is in its security groups': given(
      secured('db, web'),
      securityGroup('db'),
      securityGroup('web'),
      group('ovn.sg.db'),
      group('ovn.sg.web'),
      member('ovn.sg.db', 'ovn.sg.web'),
    ),
    'it is in its security group, and in that which drops the rest': given(
      secured('db'),
      securityGroup('db'),
      group('ovn.sg.db'),
      group(DENY_ALL),
      member('ovn.sg.db', DENY_ALL),
    ),
    'none of its security groups has a group, so that nothing is dropped': given(
      secured('db'),
      securityGroup('db'),
      group(DENY_ALL),
      member(),
    ),
    'its security group does not exist': given(secured('db'), group('ovn.sg.db'), member()),
    'its security group was not handled yet': given(
      secured('db'),
      object('SecurityGroup', 'db'),
      group('ovn.sg.db'),
      member(),
    ),
    'its security group is being deleted': given(
      secured('db'),
      securityGroup('db', { metadata: DELETED }),
      group('ovn.sg.db'),
      member(),
    ),
    'the group of its security group is gone': given(secured('db'), securityGroup('db'), member()),
    'its security group is for another network': given(
      web({ 'blue.nets.ovn.kubernetes.io/security_groups': 'db' }),
      securityGroup('db'),
      group('ovn.sg.db'),
      member(),
    ),
    'it is in the group of a policy of an administrator': enforcing(
      shop,
      admin(),
      web(),
      adminGroup(),
      member('deny.all'),
    ),
    'such a policy selects other namespaces': enforcing(
      shop,
      admin({ namespaces: { matchLabels: { tier: 'back' } } }),
      web(),
      adminGroup(),
      member(),
    ),
    'such a policy selects other pods': enforcing(
      shop,
      admin({ pods: { namespaceSelector: FRONT, podSelector: { matchLabels: { app: 'db' } } } }),
      web(),
      adminGroup(),
      member(),
    ),
    'what such a policy selects was not read': enforcing(
      shop,
      admin({ pods: { namespaceSelector: FRONT } }),
      web(),
      adminGroup(),
      member(),
    ),
    'such a policy is being deleted': enforcing(
      shop,
      admin({ namespaces: FRONT }, DELETED),
      web(),
      adminGroup(),
      member(),
    ),
    'such a policy shares its group with another': enforcing(
      shop,
      admin(),
      web(),
      adminGroup({ anp: 'deny.all' }),
      member(),
    ),
    'two of them share a group, and one selects the pod': enforcing(
      shop,
      cluster('deny-all'),
      cluster('deny.all', { namespaces: { matchLabels: { tier: 'back' } } }),
      web(),
      adminGroup({ cnp: 'deny.all' }),
      member(),
    ),
    'the namespace is not there': enforcing(admin(), web(), adminGroup(), member()),
    'the controller enforces no such policies': given(shop, admin(), web(), adminGroup(), member()),
  },
  violation: {
    'a policy of an administrator selects its namespace': {
      given: enforcing(shop, admin(), web(), adminGroup(), member()),
      summary:
        'port web-0.shop is not in port group deny.all, though AdminNetworkPolicy deny-all selects pod shop/web-0',
      parts: ['_port_groups=deny.all'],
      concerns: ['deny.all', 'web-0'],
    },
    'a baseline policy selects its pod by label': {
      given: enforcing(
        shop,
        object('BaselineAdminNetworkPolicy', '1st', {
          spec: {
            subject: {
              pods: { namespaceSelector: {}, podSelector: { matchLabels: { app: 'web' } } },
            },
          },
        }),
        web(),
        row('Port_Group', 'anp1st', { external_ids: { banp: 'anp1st' } }),
        member(),
      ),
      summary:
        'port web-0.shop is not in port group anp1st, though BaselineAdminNetworkPolicy 1st selects pod shop/web-0',
    },
    'a ClusterNetworkPolicy selects its namespace, of whose name the key has dots for dashes': {
      given: enforcing(shop, cluster('deny-all'), web(), adminGroup({ cnp: 'deny.all' }), member()),
      summary:
        'port web-0.shop is not in port group deny.all, though ClusterNetworkPolicy deny-all selects pod shop/web-0',
    },
    'a policy selects its pod': {
      given: given(policy(), web(), group(), member('node.worker.1')),
      summary: SELECTED,
      parts: ['_port_groups=allow.web.shop'],
      concerns: ['allow.web.shop', 'web-0'],
    },
    'a machine was migrated': {
      given: given(
        policy(),
        web(
          { 'ovn.kubernetes.io/virtualmachine': 'web-0' },
          { status: { phase: 'Succeeded' } },
          'shop/virt-launcher-web-0-a',
        ),
        web({ 'ovn.kubernetes.io/virtualmachine': 'web-0' }, {}, 'shop/virt-launcher-web-0-b'),
        group(),
        member(),
      ),
      summary: SELECTED.replace('pod shop/web-0', 'pod shop/virt-launcher-web-0-b'),
    },
    'it is the port of an attachment': {
      given: given(
        policy(),
        web({
          'blue.nets.ovn.kubernetes.io/allocated': 'true',
          'blue.nets.ovn.kubernetes.io/logical_switch': 'blue',
        }),
        group(),
        member('allow.web.shop'),
        port('web-0.shop.blue.nets.ovn'),
      ),
      summary: SELECTED.replace('web-0.shop', 'web-0.shop.blue.nets.ovn'),
    },
    'two policies share the group': {
      given: given(
        policy({}, {}, 'shop/allow.web'),
        policy({}, {}, 'shop/allow-web'),
        web(),
        group(),
        member(),
      ),
      summary: `${SELECTED} and NetworkPolicy shop/allow.web selects pod shop/web-0`,
    },
    'it lacks one of the security groups that the pod names': {
      given: given(
        secured('db, web'),
        securityGroup('db'),
        securityGroup('web'),
        group('ovn.sg.db'),
        group('ovn.sg.web'),
        member('ovn.sg.db'),
      ),
      summary: keyless('web'),
    },
    'it is not where the rest is dropped': {
      given: given(
        secured('db,web'),
        securityGroup('db'),
        securityGroup('web'),
        group('ovn.sg.db'),
        group(DENY_ALL),
        member('ovn.sg.db'),
      ),
      summary: keyless('db', DENY_ALL),
    },
    'it lacks its security group, and no controller runs here': {
      given: world(
        logicalSwitch(),
        secured('db'),
        securityGroup('db'),
        group('ovn.sg.db'),
        member(),
      ),
      summary: keyless('db'),
    },
    'it has the key of its security group': {
      given: given(
        secured('db'),
        securityGroup('db'),
        group('ovn.sg.db'),
        keyed({ associated_sg_db: 'true' }),
      ),
      summary: named('db'),
    },
    'its key of the security group has a blank': {
      given: given(
        secured('web, db'),
        securityGroup('db'),
        group('ovn.sg.db'),
        keyed({ 'associated_sg_ db': 'true' }),
      ),
      summary: keyless('db'),
    },
    'it lacks both a policy’s group and a security group': {
      given: given(
        policy(),
        secured('db'),
        securityGroup('db'),
        group(),
        group('ovn.sg.db'),
        member(),
      ),
      summary: [SELECTED, keyless('db')],
    },
  },
});

test.each([
  ['without policies of administrators', [], false],
  ['with one', [admin()], true],
])('%s, whether a port is judged again when its Namespace changes: %#', (_, policies, expected) => {
  const held = new World(RELATIONS, []);
  const history = new History();
  const its = [web(), member(), shop, controller(['--enable-anp=true']), ...policies];
  for (const change of [...its.map((it) => history.put(it)), ...history.listEverything()])
    held.fold(change);
  const view = new View(
    held,
    new KindBits([rule.subject, ...rule.reads, ...rule.consults!, 'Pod']),
  );
  const { cells } = view.recordReads(() =>
    rule.check(held.entity('Logical_Switch_Port', member().uid)! as never, view as never),
  );
  expect(cells.has(cell.key('Namespace', 'shop'))).toBe(expected);
  // Who shares a group is looked up: comparing the groups of all took 28 times as long with 500.
  expect(cells.has(cell.relation('admin-policies-by-group', 'deny.all'))).toBe(expected);
});
