import { type Built, logicalSwitch, object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './subnet-without-acls';

const SPEC = {
  direction: 'to-lport',
  priority: 1500,
  action: 'drop',
  match: 'ip4.src == 10.9.0.0/16',
};
const DROP = { ...SPEC, priority: 1000, match: 'ip' };
const subnet = (
  spec: Record<string, unknown> = { acls: [SPEC] },
  metadata: Record<string, unknown> = {},
): Built<'Subnet'> =>
  object('Subnet', 'apps', { spec: { cidrBlock: '10.17.0.0/20', ...spec }, metadata });
const apps = logicalSwitch();
const acl = (columns: Record<string, unknown> = {}, holder: Built = apps): Built<'ACL'> =>
  row('ACL', '', {
    uid: JSON.stringify([columns, holder.uid]),
    ...SPEC,
    ...columns,
    _parents: [{ kind: 'Logical_Switch', uid: holder.uid, column: 'acls' }],
  });
const allow = (block: string) =>
  acl({
    priority: 1001,
    action: 'allow-related',
    match: `(ip4.src == 10.17.0.0/20 && ip4.dst == ${block}) || (ip4.src == ${block} && ip4.dst == 10.17.0.0/20)`,
  });
const PRIVATE = { private: true, allowSubnets: ['10.18.0.0/16'] };
const says = (missing: string, of: string, rest = '') =>
  `the switch of Subnet apps does not have ${missing} of the ${of} ACLs that it asks for: ${rest}`;

testRule(rule, {
  healthy: {
    'its switch has them': world(subnet(), apps, acl()),
    'its switch has more': world(subnet(), apps, acl(), acl({ priority: 2001 })),
    'it asks for none': world(subnet({ acls: [], private: false }), apps),
    'it is private, and its switch drops what comes in': world(
      subnet(PRIVATE),
      apps,
      acl(DROP),
      allow('10.18.0.0/16'),
    ),
    'it has no switch, which is another finding': world(subnet()),
    'two switches have its name': world(subnet(), apps, logicalSwitch('apps', { uid: 'two' })),
    'its addresses are all that Kube-OVN gives': world(
      subnet({ acls: [SPEC], provider: 'lan.nets' }),
      apps,
    ),
    'it is being deleted': world(
      subnet(undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      apps,
    ),
  },
  violation: {
    'its switch has none': {
      given: world(subnet(), apps),
      summary: says('1', '1', 'to-lport 1500 drop ip4.src == 10.9.0.0/16'),
      concerns: ['apps'],
    },
    'those of another switch do not count': {
      given: world(subnet(), apps, acl({}, logicalSwitch('other'))),
      summary: says('1', '1', 'to-lport 1500 drop ip4.src == 10.9.0.0/16'),
    },
    'one allows what it forbids': {
      given: world(subnet(), apps, acl({ action: 'allow' })),
      summary: says('1', '1', 'to-lport 1500 drop ip4.src == 10.9.0.0/16'),
    },
    'it is private, and its switch lets everything in': {
      given: world(subnet(PRIVATE), apps, allow('10.18.0.0/16')),
      summary: says('1', '2', 'to-lport 1000 drop ip'),
    },
    'it is private, and its switch does not let in what it allows': {
      given: world(subnet(PRIVATE), apps, acl(DROP), allow('10.19.0.0/16')),
      summary: says('1', '2', 'to-lport 1001 allow-related for 10.18.0.0/16'),
    },
    'it is private and has its own, and its switch has none': {
      given: world(subnet({ ...PRIVATE, acls: [SPEC] }), apps),
      summary: says('3', '3', 'to-lport 1000 drop ip and 2 more'),
    },
  },
});
