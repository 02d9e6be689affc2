import { logicalSwitch, object, pod, port, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-dhcp-options';

const options = (
  ids: Record<string, string> = { vendor: 'kube-ovn', ls: 'web', protocol: 'IPv4' },
): Built<'DHCP_Options'> =>
  row('DHCP_Options', '', { uid: 'dhcp', cidr: '10.50.0.0/24', external_ids: ids });
const user = (columns: Record<string, unknown> = {}) =>
  port('web-0.shop', { dhcpv4_options: 'dhcp', ...columns });

const ids = { vendor: 'kube-ovn', ls: 'web', protocol: 'IPv4' };
const ofPort = options({ ...ids, port: 'web-0.shop' });

const web = (cidrBlock: string, metadata: Record<string, unknown> = {}) =>
  object('Subnet', 'web', { spec: { cidrBlock }, metadata });

testRule(rule, {
  healthy: {
    'the one port it is for exists': world(
      ofPort,
      object('Subnet', 'web'),
      logicalSwitch('web'),
      port(),
    ),
    'its subnet exists': world(options(), object('Subnet', 'web')),
    'its subnet has that family': world(options(), web('fd00:50::/64, 10.60.0.0/24')),
    'the blocks of its subnet cannot be read': world(options(), web('fd00:50::/64,10.60.0.0')),
    'its subnet lost the family and is being deleted': world(
      options(),
      web('fd00:50::/64', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
    'its subnet lost the family, and the port it is for exists': world(
      ofPort,
      web('fd00:50::/64'),
      logicalSwitch('web'),
      port(),
    ),
    'its switch still stands': world(options(), logicalSwitch('web')),
    'it names no switch': world(options({ vendor: 'kube-ovn', protocol: 'IPv4' })),
    'it has no tag': world(options({ ls: 'web', protocol: 'IPv4' })),
    'its family is not the one of its keys': world(
      options({ vendor: 'kube-ovn', ls: 'web', protocol: 'IPv6' }),
    ),
    "a port of somebody else's uses it": world(
      options(),
      logicalSwitch('net', {}),
      user({ ls: 'net', external_ids: {} }),
    ),
  },
  unknown: {
    'its subnet lost the family, and a port made before has it still': world(
      options(),
      web('fd00:50::/64'),
      logicalSwitch('web'),
      user({ ls: 'web' }),
    ),
    'the one port it is for is gone, another uses it': world(
      ofPort,
      object('Subnet', 'apps'),
      logicalSwitch(),
      port('web-1.shop', { dhcpv4_options: 'dhcp' }),
    ),
    'the one port it is for may be there: the database is not read': world(
      ofPort,
      object('Subnet', 'web'),
    ).unlisted('Logical_Switch_Port'),
    'the one port it is for was not made yet: its pod was': world(
      ofPort,
      object('Subnet', 'web'),
      pod('shop/web-0'),
    ),
    'the one port it is for, of an attached network, was not made yet: its pod was': world(
      options({ ...ids, port: 'web.a-0.shop.net1.shop.ovn' }),
      object('Subnet', 'web'),
      pod('shop/web.a-0'),
    ),
    'the one port it is for is a machine’s': world(
      ofPort,
      object('Subnet', 'web'),
      object('VirtualMachine', 'shop/web-0'),
    ),
    'the one port it is for is that of an instance without a machine': world(
      ofPort,
      object('Subnet', 'web'),
      object('VirtualMachineInstance', 'shop/web-0'),
    ),
    'whether there is a pod of the one port it is for is not known': world(
      ofPort,
      object('Subnet', 'web'),
    ).unheardOf('Pod'),
    'subnets are not listed': world(options()).unheardOf('Subnet'),
    'a port of another switch uses it': world(options(), logicalSwitch(), user()),
  },
  violation: {
    'its subnet has the other family only, since it was of two': {
      given: world(
        options(),
        web('fd00:50::/64'),
        logicalSwitch('web'),
        port('a.b', { ls: 'web' }),
      ),
      summary: 'DHCP options 10.50.0.0/24 are of Subnet web, which has no IPv4 addresses any more',
    },
    'its subnet is gone': {
      given: world(options(), object('Subnet', 'other'), logicalSwitch(), port()),
      summary: 'DHCP options 10.50.0.0/24 are of Subnet web, which no longer exists',
    },
    "one port's own options are left as well": {
      given: world(ofPort),
      summary: 'DHCP options 10.50.0.0/24 are of port web-0.shop, which no longer exists',
    },
    "one port's own options are left while its subnet lives": {
      given: world(
        ofPort,
        object('Subnet', 'web'),
        logicalSwitch('web'),
        port('web-1.shop', { ls: 'web' }),
      ),
      summary: 'DHCP options 10.50.0.0/24 are of port web-0.shop, which no longer exists',
    },
    'its subnet is gone, its port is kept elsewhere without them': {
      given: world(ofPort, logicalSwitch(), port()),
      summary: 'DHCP options 10.50.0.0/24 are of Subnet web, which no longer exists',
    },
  },
});
