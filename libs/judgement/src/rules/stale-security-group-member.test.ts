import { type Built, logicalSwitch, object, pod, port } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stale-security-group-member';

const apps = logicalSwitch();
const web = object('SecurityGroup', 'web');
const db = object('SecurityGroup', 'db');
const keyed = (
  keys: Record<string, string>,
  ids: Record<string, string> = { pod: 'shop/web-0' },
  name = 'web-0.shop',
): Built<'Logical_Switch_Port'> =>
  port(name, { external_ids: { vendor: 'kube-ovn', ls: 'apps', ...ids, ...keys } });
const asking = (
  groups: Record<string, string>,
  over: Record<string, unknown> = {},
  key = 'shop/web-0',
  of = 'ovn',
): Built<'Pod'> =>
  pod(key, {
    metadata: {
      annotations: {
        [`${of}.kubernetes.io/allocated`]: 'true',
        [`${of}.kubernetes.io/logical_switch`]: 'apps',
        ...groups,
      },
    },
    status: { phase: 'Running' },
    ...over,
  });
const SAYS = 'ovn.kubernetes.io/security_groups';
const IN_WEB = { associated_sg_web: 'true' };
const launcher = (nth: string, groups: Record<string, string>) =>
  asking(
    { ...groups, 'ovn.kubernetes.io/virtualmachine': 'vm' },
    {},
    `shop/virt-launcher-vm-${nth}`,
  );
const ofMachine = keyed(IN_WEB, { pod: 'shop/vm' }, 'vm.shop');
const LAN = 'lan.shop.ovn';
const ofLan = (interfaces: string) =>
  keyed(IN_WEB, { pod: 'shop/web-0' }, `web-0.shop.${LAN}${interfaces}`);

testRule(rule, {
  healthy: {
    'its pod names the group': world(apps, web, keyed(IN_WEB), asking({ [SAYS]: 'web' })),
    'its pod names it among others, with blanks': world(
      ...[apps, web, db],
      keyed({ ...IN_WEB, 'associated_sg_ db': 'true' }),
      asking({ [SAYS]: 'web, db' }),
    ),
    'it was taken out of the group': world(
      ...[apps, web, asking({})],
      keyed({ associated_sg_web: 'false' }),
    ),
    'it is in the groups Kube-OVN makes for itself': world(
      ...[apps, object('SecurityGroup', 'default-securitygroup'), asking({})],
      keyed({ 'associated_sg_default-securitygroup': 'true' }),
    ),
    'the group is gone or goes: that is another finding': world(
      ...[apps, asking({}), keyed({ ...IN_WEB, associated_sg_db: 'true' })],
      object('SecurityGroup', 'db', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ),
    'it has no pod, as that of a halted machine': world(apps, web, ofMachine),
    'its pod does not run yet, or is going': world(
      ...[apps, web, keyed(IN_WEB)],
      asking({}, { status: { phase: 'Pending' } }),
    ),
    'one of the launchers of its machine names the group': world(
      ...[apps, web, ofMachine, launcher('a', {}), launcher('b', { [SAYS]: 'web' })],
    ),
    'its pod names the group for that network': world(
      ...[apps, web, ofLan('')],
      asking({ [`${LAN}.kubernetes.io/security_groups`]: 'web' }, {}, 'shop/web-0', LAN),
    ),
    'its pod names the group for the attachment, which it has several times': world(
      ...[apps, web, ofLan('.net1')],
      asking({ [`${LAN}.kubernetes.io/security_groups`]: 'web' }, {}, 'shop/web-0', `${LAN}.net1`),
    ),
    "it is somebody else's": world(
      ...[apps, web, asking({})],
      keyed({ ...IN_WEB, 'neutron:port_name': 'x' }),
    ),
  },
  violation: {
    'its pod names none any more': {
      given: world(apps, web, keyed(IN_WEB), asking({})),
      summary: 'port web-0.shop is in SecurityGroup web, which pod shop/web-0 does not name',
      parts: ['external_ids=associated_sg_web'],
    },
    'its pod names another': {
      given: world(
        ...[apps, web, db],
        keyed({ ...IN_WEB, associated_sg_db: 'true' }),
        asking({ [SAYS]: 'db' }),
      ),
      summary: 'port web-0.shop is in SecurityGroup web, which pod shop/web-0 does not name',
    },
    'its pod names the group for another network': {
      given: world(apps, web, ofLan(''), asking({ [SAYS]: 'web' }, {}, 'shop/web-0', LAN)),
      summary: `port web-0.shop.${LAN} is in SecurityGroup web, which pod shop/web-0 does not name`,
    },
    'no launcher of its machine names the group': {
      given: world(apps, web, ofMachine, launcher('a', {}), launcher('b', {})),
      summary:
        'port vm.shop is in SecurityGroup web, which pods shop/virt-launcher-vm-a and shop/virt-launcher-vm-b do not name',
    },
  },
});
