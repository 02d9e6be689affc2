import { type Built, logicalSwitch, object, pod, port, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './denied-port-without-security-group';

const DENY_ALL = 'ovn.sg.kubeovn_deny_all';
const denying = row('Port_Group', DENY_ALL, {
  external_ids: { vendor: 'kube-ovn', type: 'security_group', sg: 'kubeovn_deny_all' },
});
const acl = (action: string, holder = denying.uid): Built<'ACL'> =>
  row('ACL', '', {
    uid: `${action} ${holder}`,
    direction: 'to-lport',
    priority: 2003,
    action,
    _parents: [{ kind: 'Port_Group', uid: holder, column: 'acls' }],
  });
const groupOf = (name: string): Built<'Port_Group'> =>
  row('Port_Group', `ovn.sg.${name}`, {
    external_ids: { vendor: 'kube-ovn', type: 'security_group', sg: name },
  });
const denied = (keys: Record<string, string>, over: Record<string, unknown> = {}) =>
  port('web-0.shop', {
    external_ids: { vendor: 'kube-ovn', pod: 'shop/web-0', ls: 'apps', ...keys },
    _port_groups: [denying.uid],
    ...over,
  });
const web = (over: Record<string, unknown> = {}): Built<'Pod'> =>
  pod('shop/web-0', {
    metadata: {
      annotations: {
        'ovn.kubernetes.io/allocated': 'true',
        'ovn.kubernetes.io/logical_switch': 'apps',
      },
    },
    ...over,
  });
const LISTED = { security_groups: 'sg-db', 'associated_sg_sg-db': 'true' };
const given = (...built: Built[]) => world(logicalSwitch(), denying, acl('drop'), ...built);
const DROPPED = `all traffic of port web-0.shop of pod shop/web-0 is dropped: it is in port group ${DENY_ALL}, and`;
const UNNAMED = `${DROPPED} it names no SecurityGroup`;

testRule(rule, {
  healthy: {
    'its group has a port group': given(groupOf('sg.db'), web(), denied(LISTED)),
    'its group has lost its port group': given(
      object('SecurityGroup', 'sg-db'),
      web(),
      denied(LISTED),
    ),
    'one of its groups has one': given(
      groupOf('sg.db'),
      web(),
      denied({ security_groups: 'sg-db/web', 'associated_sg_sg-db': 'true' }),
    ),
    'a group has one that it names with a blank': given(
      groupOf('db'),
      web(),
      denied({ security_groups: 'web/ db', 'associated_sg_ db': 'true' }),
    ),
    'it has the key of a group that it does not list': given(
      groupOf('sg.db'),
      web(),
      denied({ security_groups: '', 'associated_sg_sg-db': 'true' }),
    ),
    'it is not in the group that drops': given(web(), denied(LISTED, { _port_groups: [] })),
    'it is in another group': given(web(), denied(LISTED, { _port_groups: ['Port_Group:other'] })),
    'that group drops nothing': world(
      logicalSwitch(),
      denying,
      acl('allow'),
      acl('drop', 'Port_Group:other'),
      web(),
      denied(LISTED),
    ),
    'its pod has ended': given(web({ status: { phase: 'Succeeded' } }), denied(LISTED)),
    'it has no pod': given(denied(LISTED)),
    'it is not Kube-OVN’s': given(
      web(),
      denied({}, { external_ids: { pod: 'shop/web-0', ...LISTED } }),
    ),
  },
  violation: {
    'its group is gone': {
      given: given(web(), denied(LISTED)),
      summary: `${DROPPED} no SecurityGroup that it names exists (sg-db)`,
    },
    'both of its groups are gone': {
      given: given(
        object('SecurityGroup', 'other'),
        web(),
        denied({ security_groups: 'sg-db/web', 'associated_sg_sg-db': 'true' }),
      ),
      summary: `${DROPPED} no SecurityGroup that it names exists (sg-db, web)`,
    },
    'its pod names no group any more': {
      given: given(web(), denied({ security_groups: '', 'associated_sg_sg-db': 'false' })),
      summary: UNNAMED,
    },
    'it has no key at all': { given: given(web(), denied({})), summary: UNNAMED },
  },
});
