import { type Built, object, pod, port, row } from '../testing/builders';
import { findings, testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './network-policy-without-acls';

const policy = (
  spec: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
): Built<'NetworkPolicy'> =>
  object('NetworkPolicy', 'shop/allow-web', {
    spec: { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'], ...spec },
    metadata,
  });
const BOTH = { policyTypes: ['Ingress', 'Egress'] };
const web = (key = 'shop/web-0', over: Record<string, unknown> = {}): Built<'Pod'> =>
  pod(key, {
    metadata: {
      labels: { app: 'web' },
      annotations: {
        'ovn.kubernetes.io/allocated': 'true',
        'ovn.kubernetes.io/logical_switch': 'apps',
      },
    },
    ...over,
  });
const group = row('Port_Group', 'allow.web.shop', {
  external_ids: { vendor: 'kube-ovn', np: 'shop/allow-web' },
});
const acl = (direction: string, action: string, holder = group.uid): Built<'ACL'> =>
  row('ACL', '', {
    uid: `${direction} ${action} ${holder}`,
    direction,
    action,
    priority: 2000,
    _parents: [{ kind: 'Port_Group', uid: holder, column: 'acls' }],
  });
const controller = (flags: readonly string[] = [], metadata: Record<string, unknown> = {}) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { template: { spec: { flags } } },
    metadata,
  });
const given = (...built: Built[]) => world(controller(), port('web-0.shop'), ...built);
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const SELECTS = 'NetworkPolicy shop/allow-web selects pod shop/web-0';
const GONE = `${SELECTS}, and its port group allow.web.shop does not exist: nothing of it is enforced`;
const bare = (direction: string, type: string) =>
  `${SELECTS}, and its port group allow.web.shop has no ${direction} ACL that drops: nothing of its ${type} is enforced`;

testRule(rule, {
  healthy: {
    'its group drops what no rule allows': given(policy(), web(), group, acl('to-lport', 'drop')),
    'it drops in both directions': given(
      policy(BOTH),
      web(),
      group,
      acl('to-lport', 'drop'),
      acl('from-lport', 'drop'),
    ),
    'it selects no pod, so that its group has no ACLs': given(
      policy({ podSelector: { matchLabels: { app: 'db' } } }),
      web(),
      group,
    ),
    'it selects no pod, and its group is gone': given(policy(), web('shops/web-0')),
    'the pod it selects has ended': given(
      policy(),
      web('shop/web-0', { status: { phase: 'Succeeded' } }),
      group,
    ),
    'the pod it selects is being deleted': given(
      policy(),
      web('shop/web-0', {
        metadata: { ...(web().object['metadata'] as object), ...DELETED },
      }),
      group,
    ),
    'the pod it selects uses the network of its node': given(
      policy(),
      web('shop/web-0', { spec: { hostNetwork: true } }),
      group,
    ),
    'the pod it selects has no address yet': given(
      policy(),
      pod('shop/web-0', { metadata: { labels: { app: 'web' } } }),
      group,
    ),
    'the pod it selects has no port yet': world(controller(), policy(), web(), group),
    'it is for another network of the pod': given(
      policy({}, { annotations: { 'ovn.kubernetes.io/network_policy_for': 'nets/blue' } }),
      web(),
      group,
    ),
    'for what it is was not read': given(policy({ policyTypes: undefined }), web()),
    'it is being deleted': given(policy({}, DELETED), web()),
    'its controller enforces no policies': world(
      controller(['--enable-np=false']),
      port('web-0.shop'),
      policy(),
      web(),
    ),
    'no controller runs in the cluster': world(port('web-0.shop'), policy(), web()),
    'the controller is being taken away': world(
      controller([], DELETED),
      port('web-0.shop'),
      policy(),
      web(),
    ),
  },
  violation: {
    'its group is gone': { given: given(policy(BOTH), web()), says: GONE, concerns: ['web-0'] },
    'the controller is told to enforce policies': {
      given: world(controller(['--enable-np=true']), port('web-0.shop'), policy(), web()),
      says: GONE,
    },
    'its group has no ACLs': {
      given: given(policy(BOTH), web(), group),
      says: [bare('to-lport', 'Ingress'), bare('from-lport', 'Egress')],
      parts: ['spec.policyTypes=Egress', 'spec.policyTypes=Ingress'],
      concerns: ['allow.web.shop', 'web-0'],
    },
    'only rules that allow are left, and those of others': {
      given: given(
        policy(BOTH),
        web(),
        group,
        acl('to-lport', 'allow-related'),
        acl('to-lport', 'drop', 'Port_Group:other'),
        acl('from-lport', 'drop'),
      ),
      says: bare('to-lport', 'Ingress'),
    },
    'its name does not begin with a letter': {
      given: given(
        object('NetworkPolicy', 'shop/0-deny', {
          spec: { podSelector: {}, policyTypes: ['Egress'] },
        }),
        web(),
      ),
      says: 'NetworkPolicy shop/0-deny selects pod shop/web-0, and its port group np0.deny.shop does not exist: nothing of it is enforced',
    },
    'it selects a machine': {
      given: world(
        controller(),
        port('vm-0.shop'),
        policy(),
        web('shop/virt-launcher-vm-0-x', {
          metadata: {
            labels: { app: 'web' },
            annotations: {
              'ovn.kubernetes.io/allocated': 'true',
              'ovn.kubernetes.io/logical_switch': 'apps',
              'ovn.kubernetes.io/virtualmachine': 'vm-0',
            },
          },
        }),
      ),
      says: GONE.replace('web-0', 'virt-launcher-vm-0-x'),
    },
  },
});

test('the first pod by name stands for all', () => {
  const pods = ['web-2', 'web-0', 'web-1'].flatMap((it) => [web(`shop/${it}`), port(`${it}.shop`)]);
  const [found] = findings(rule, world(controller(), policy(), ...pods));
  expect(found?.says).toBe(GONE);
});
