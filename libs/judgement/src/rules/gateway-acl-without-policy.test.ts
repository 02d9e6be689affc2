import { type Built, logicalSwitch, object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './gateway-acl-without-policy';

const apps = logicalSwitch();
const subnet = (
  spec: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
): Built<'Subnet'> =>
  object('Subnet', 'apps', { spec: { gateway: '10.17.0.1,fd00:17::1', ...spec }, metadata });
const acl = (columns: Record<string, unknown> = {}): Built<'ACL'> =>
  row('ACL', '', {
    uid: 'gateway',
    direction: 'to-lport',
    priority: 2001,
    match: 'ip4.src == 10.17.0.1',
    action: 'allow-related',
    _parents: [{ kind: 'Logical_Switch', uid: apps.uid, column: 'acls' }],
    ...columns,
  });
const says = (match: string, address = '10.17.0.1', direction = 'to-lport') =>
  `switch apps lets its gateway ${address} through (${direction} 2001 ${match}), and there is no NetworkPolicy`;

testRule(rule, {
  healthy: {
    'there is a policy': world(subnet(), apps, acl(), object('NetworkPolicy', 'shop/allow')),
    'it has another priority': world(subnet(), apps, acl({ priority: 1500 })),
    'it is of another address': world(subnet(), apps, acl({ match: 'ip4.src == 10.17.0.2' })),
    'it says more': world(subnet(), apps, acl({ match: 'ip4.src == 10.17.0.1 && tcp' })),
    'it drops': world(subnet(), apps, acl({ action: 'drop' })),
    'its Subnet asks for it': world(
      subnet({
        acls: [
          {
            direction: 'to-lport',
            priority: 2001,
            match: 'ip4.src == 10.17.0.1',
            action: 'allow-related',
          },
        ],
      }),
      apps,
      acl(),
    ),
    'it is in a port group': world(
      subnet(),
      row('Port_Group', 'apps'),
      acl({ _parents: [{ kind: 'Port_Group', uid: 'Port_Group:apps', column: 'acls' }] }),
    ),
    'its Subnet is private, so that the gateway gets in by it alone': world(
      subnet({ private: true }),
      apps,
      acl(),
      acl({ uid: 'drop', priority: 1000, match: 'ip', action: 'drop' }),
    ),
    'a person rejects the rest on its switch': world(
      subnet(),
      apps,
      acl(),
      acl({ uid: 'reject', priority: 1000, match: 'ip4', action: 'reject' }),
    ),
    'its switch is no Subnet’s': world(apps, acl()),
    'its Subnet is being deleted': world(
      subnet({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      apps,
      acl(),
    ),
  },
  violation: {
    'there is no policy': {
      given: world(subnet(), apps, acl()),
      summary: says('ip4.src == 10.17.0.1'),
    },
    'another switch drops something': {
      given: world(
        subnet(),
        apps,
        logicalSwitch('other'),
        acl(),
        acl({
          uid: 'drop',
          priority: 1000,
          match: 'ip',
          action: 'drop',
          _parents: [{ kind: 'Logical_Switch', uid: 'Logical_Switch:other', column: 'acls' }],
        }),
      ),
      summary: says('ip4.src == 10.17.0.1'),
    },
    'it is of the other family and direction': {
      given: world(
        subnet(),
        apps,
        acl({ match: 'ip6.dst == fd00:17::1', direction: 'from-lport', action: 'allow-stateless' }),
      ),
      summary: says('ip6.dst == fd00:17::1', 'fd00:17::1', 'from-lport'),
    },
  },
});
