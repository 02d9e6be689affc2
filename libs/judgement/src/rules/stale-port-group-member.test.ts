import { logicalSwitch, object, pod, port, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stale-port-group-member';

const group = (name: string, ids: Record<string, string>): Built<'Port_Group'> =>
  row('Port_Group', name, { external_ids: { vendor: 'kube-ovn', ...ids } });
const policy = (
  key: string,
  podSelector: Record<string, unknown> | undefined,
): Built<'NetworkPolicy'> =>
  object('NetworkPolicy', key, { spec: podSelector ? { podSelector } : {} });
const labelled = (labels: Record<string, string>, over: Record<string, unknown> = {}) =>
  pod('shop/web-0', { metadata: { labels }, ...over });
const apps = logicalSwitch();
const allow = group('allow.web.shop', { np: 'shop/allow-web' });
const member = port('web-0.shop', { _port_groups: ['Port_Group:allow.web.shop'] });
const web = { matchLabels: { app: 'web' } };
const says =
  'port web-0.shop is in port group allow.web.shop, but NetworkPolicy shop/allow-web does not select pod shop/web-0';

/** A policy and something else of that name, whose groups become one. */
const shared = (other: Built, name: string) =>
  world(
    apps,
    group(`${name}.shop`, { np: `shop/${name}` }),
    port('web-0.shop', { _port_groups: [`Port_Group:${name}.shop`] }),
    policy(`shop/${name}`, web),
    labelled({ app: 'db' }),
    other,
  );

testRule(rule, {
  healthy: {
    'its policy selects the pod': world(
      apps,
      allow,
      member,
      policy('shop/allow-web', web),
      labelled({ app: 'web', tier: 'x' }),
    ),
    'its policy selects every pod': world(
      apps,
      allow,
      member,
      policy('shop/allow-web', {}),
      labelled({}),
    ),
    'what its policy selects was not read': world(
      apps,
      allow,
      member,
      policy('shop/allow-web', undefined),
      labelled({}),
    ),
    'another policy that shares the group selects the pod': world(
      apps,
      allow,
      member,
      policy('shop/allow-web', web),
      policy('shop/allow.web', { matchLabels: { app: 'db' } }),
      labelled({ app: 'db' }),
    ),
    'its policy is gone: the group goes as a whole': world(
      apps,
      allow,
      member,
      labelled({ app: 'db' }),
    ),
    'its pod is gone': world(apps, allow, member, policy('shop/allow-web', web)),
    'it carries a Neutron key': world(
      apps,
      allow,
      port('web-0.shop', {
        _port_groups: ['Port_Group:allow.web.shop'],
        external_ids: {
          vendor: 'kube-ovn',
          ls: 'apps',
          pod: 'shop/web-0',
          'neutron:port_name': 'x',
        },
      }),
      policy('shop/allow-web', web),
      labelled({ app: 'db' }),
    ),
    'its pod is completed': world(
      apps,
      allow,
      member,
      policy('shop/allow-web', web),
      labelled({ app: 'db' }, { status: { phase: 'Succeeded' } }),
    ),
    "the group is a node's": world(
      apps,
      group('node.w', { np: 'node/w', node: 'w' }),
      port('web-0.shop', { _port_groups: ['Port_Group:node.w'] }),
      policy('node/w', web),
      labelled({}),
    ),
    "the group is a subnet's on a node": world(
      apps,
      group('apps.w', { np: 'apps/w', node: 'w', subnet: 'apps' }),
      port('web-0.shop', { _port_groups: ['Port_Group:apps.w'] }),
      policy('w/apps', web),
      labelled({}),
    ),
    "the group is a security group's": world(
      apps,
      group('ovn.sg.web', { type: 'security_group', sg: 'web' }),
      port('web-0.shop', { _port_groups: ['Port_Group:ovn.sg.web'] }),
      labelled({}),
    ),
    "the group is somebody else's": world(
      apps,
      row('Port_Group', 'allow.web.shop', {
        external_ids: { np: 'shop/allow-web', owner: 'anna' },
      }),
      member,
      policy('shop/allow-web', web),
      labelled({}),
    ),
    "the port is somebody else's": world(
      apps,
      allow,
      port('web-0.shop', {
        external_ids: { pod: 'shop/web-0' },
        _port_groups: ['Port_Group:allow.web.shop'],
      }),
      policy('shop/allow-web', web),
      labelled({}),
    ),
    'the port is in no group': world(
      apps,
      allow,
      port(),
      policy('shop/allow-web', web),
      labelled({}),
    ),
    "a machine has the pod's name, and the port": world(
      apps,
      allow,
      member,
      policy('shop/allow-web', web),
      labelled({ app: 'db' }),
      object('VirtualMachine', 'shop/web-0'),
    ),
    "a machine's instance has the pod's name, and the port": world(
      apps,
      allow,
      member,
      policy('shop/allow-web', web),
      labelled({ app: 'db' }),
      object('VirtualMachineInstance', 'shop/web-0'),
    ),
  },
  unknown: {
    "the group is a node's as well": shared(object('Node', 'shop'), 'node'),
    "the group is a subnet's on a node as well": shared(object('Subnet', 'apps'), 'apps').with(
      object('Node', 'shop'),
    ),
    "not known whether a machine has the pod's name": world(
      apps,
      allow,
      member,
      policy('shop/allow-web', web),
      labelled({ app: 'db' }),
    ).unheardOf('VirtualMachine'),
    'its policy selects in a way nobody knows': world(
      apps,
      allow,
      member,
      policy('shop/allow-web', { matchExpressions: [{ key: 'app', operator: 'Near' }] }),
      labelled({}),
    ),
    'policies are not listed': world(apps, allow, member, labelled({})).unheardOf('NetworkPolicy'),
  },
  violation: {
    'the pod was relabelled': {
      given: world(apps, allow, member, policy('shop/allow-web', web), labelled({ app: 'db' })),
      summary: says,
      concerns: ['allow.web.shop'],
      parts: ['_port_groups=allow.web.shop'],
    },
    'the group has no tag, as before v1.15, and its key and name say the same: it is left to a person':
      {
        given: world(
          apps,
          row('Port_Group', 'allow.web.shop', { external_ids: { np: 'shop/allow-web' } }),
          member,
          policy('shop/allow-web', web),
          labelled({ app: 'db' }),
        ),
        summary: says,
        noRemedy: true,
      },
    "somebody else's ACL is in the group: it is left to a person": {
      given: world(
        apps,
        allow,
        member,
        policy('shop/allow-web', web),
        labelled({ app: 'db' }),
        row('ACL', '', {
          uid: 'foreign',
          external_ids: { 'neutron:security_group_rule_id': 'x' },
          _parents: [{ kind: 'Port_Group', uid: 'Port_Group:allow.web.shop', column: 'acls' }],
        }),
      ),
      summary: says,
      noRemedy: true,
    },
    'the port is on another switch than it summary: it is left to a person': {
      given: world(
        apps,
        allow,
        port('web-0.shop', {
          external_ids: { vendor: 'kube-ovn', ls: 'other', pod: 'shop/web-0' },
          _port_groups: ['Port_Group:allow.web.shop'],
        }),
        policy('shop/allow-web', web),
        labelled({ app: 'db' }),
      ),
      summary: says,
      noRemedy: true,
    },
    'the pod has no labels': {
      given: world(apps, allow, member, policy('shop/allow-web', web), pod('shop/web-0')),
      summary: says,
    },
    'the policy selects by an expression': {
      given: world(
        apps,
        allow,
        member,
        policy('shop/allow-web', {
          matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['db'] }],
        }),
        labelled({ app: 'db' }),
      ),
      summary: says,
    },
    'neither policy that shares the group selects the pod': {
      given: world(
        apps,
        allow,
        member,
        policy('shop/allow-web', web),
        policy('shop/allow.web', web),
        labelled({ app: 'db' }),
      ),
      summary:
        'port web-0.shop is in port group allow.web.shop, but NetworkPolicy shop/allow-web and NetworkPolicy shop/allow.web does not select pod shop/web-0',
    },
    "its policy's name got the prefix np": {
      given: world(
        apps,
        group('np1.shop', { np: 'shop/np1' }),
        port('web-0.shop', { _port_groups: ['Port_Group:np1.shop'] }),
        policy('shop/1', web),
        labelled({ app: 'db' }),
      ),
      summary:
        'port web-0.shop is in port group np1.shop, but NetworkPolicy shop/1 does not select pod shop/web-0',
    },
  },
});
