import { ip, object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './subnet-usage-drift';

const subnet = (status: Record<string, unknown> | undefined, spec: Record<string, unknown> = {}) =>
  object('Subnet', 'apps', {
    spec: {
      cidrBlock: '10.17.0.0/24',
      protocol: 'IPv4',
      gateway: '10.17.0.1',
      excludeIps: ['10.17.0.1'],
      ...spec,
    },
    ...(status ? { status } : {}),
  });
const at = (name: string, v4IpAddress: string, more: Record<string, unknown> = {}) =>
  ip(name, { v4IpAddress, ipAddress: v4IpAddress, ...more });
/** As the controller makes them: with the label by which it counts them. */
const counted = (name: string, v4IpAddress: string) =>
  ip(name, { v4IpAddress, ipAddress: v4IpAddress }, { metadata: { labels: { apps: '' } } });
const one = at('a.shop', '10.17.0.10');
const two = at('b.shop', '10.17.0.11');
const six = (name: string, v6IpAddress: string) =>
  ip(name, { v4IpAddress: '', v6IpAddress, ipAddress: v6IpAddress });
const both = (name: string, n: string) =>
  ip(name, {
    v4IpAddress: `10.17.0.${n}`,
    v6IpAddress: `fd00::${n}`,
    ipAddress: `10.17.0.${n},fd00::${n}`,
  });

testRule(rule, {
  healthy: {
    'the count agrees': world(subnet({ v4usingIPs: 2 }), one, two),
    'nothing is held': world(subnet({ v4usingIPs: 0 })),
    'the count is text': world(subnet({ v4usingIPs: '2' }), one, two),
    'the count is a decimal': world(subnet({ v4usingIPs: '2.0' }), one, two),
    'holders of every kind are counted': world(
      subnet({ v4usingIPs: 4 }),
      one,
      object('Vip', 'v', { spec: { subnet: 'apps' }, status: { v4ip: '10.17.0.30' } }),
      object('IptablesEIP', 'e', {
        spec: { externalSubnet: 'apps' },
        status: { ip: '10.17.0.31' },
      }),
      object('OvnEip', 'o', { spec: { externalSubnet: 'apps' }, status: { v4Ip: '10.17.0.32' } }),
    ),
    'a bound Vip and its port hold one address': world(
      subnet({ v4usingIPs: 1 }),
      one,
      object('Vip', 'v', {
        spec: { subnet: 'apps', v4ip: '10.17.0.10' },
        metadata: { labels: { 'ovn.kubernetes.io/ip_reserved': 'a.shop' } },
      }),
    ),
    'a Vip asks for an address and was given none': world(
      subnet({ v4usingIPs: 1 }),
      one,
      object('Vip', 'v', { spec: { subnet: 'apps', v4ip: '10.17.0.30' } }),
    ),
    'so does an OvnEip, in a subnet of both families': world(
      subnet({ v4usingIPs: 0, v6usingIPs: 0 }, { protocol: 'Dual' }),
      object('OvnEip', 'o', {
        spec: { externalSubnet: 'apps', v4Ip: '10.17.0.30', v6Ip: 'fd00::30' },
      }),
    ),
    'a Vip asks for an address that a pod has': world(
      subnet({ v4usingIPs: 1 }),
      one,
      object('Vip', 'v', { spec: { subnet: 'apps', v4ip: '10.17.0.10' } }),
    ),
    'an attached address counts where it is from': world(
      subnet({ v4usingIPs: 1 }),
      at('a.shop', '172.20.0.1', {
        subnet: 'data',
        attachSubnets: ['apps'],
        attachIps: ['10.17.0.10'],
      }),
    ),
    'an excluded address is not counted': world(
      subnet({ v4usingIPs: 1 }, { excludeIps: ['10.17.0.1', '10.17.0.11'] }),
      one,
      two,
    ),
    'an excluded range is not counted': world(
      subnet({ v4usingIPs: 1 }, { excludeIps: ['10.17.0.11..10.17.0.200'] }),
      one,
      two,
      at('c.shop', '10.17.0.200'),
    ),
    'an excluded range larger than all that is held': world(
      subnet({ v4usingIPs: 1 }, { cidrBlock: '10.0.0.0/8', excludeIps: ['10.17.0.11..10.99.0.0'] }),
      one,
      two,
      at('c.shop', '10.50.0.1'),
    ),
    'the gateway is held, and counted although it is excluded': world(
      subnet({ v4usingIPs: 1 }),
      at('gw.shop', '10.17.0.1'),
    ),
    'the record of a dual-stack pod counts once for both families': world(
      subnet(
        { v4usingIPs: 2, v6usingIPs: 2 },
        { protocol: 'Dual', cidrBlock: '10.17.0.0/24,fd00::/64', gateway: '10.17.0.1,fd00::1' },
      ),
      both('a.shop', '10'),
      both('b.shop', '11'),
    ),
    'it is an IPv6 subnet of /64': world(
      subnet(
        { v4usingIPs: 0, v6usingIPs: 1, v6availableIPs: 18446744073709552000 },
        {
          protocol: 'IPv6',
          cidrBlock: 'fd00::/64',
          gateway: 'fd00::1',
          excludeIps: ['fd00::1', 'fd00::1:0..fd00::ffff:ffff:ffff'],
        },
      ),
      six('a.shop', 'fd00::10'),
      six('b.shop', 'fd00::2:0'),
    ),
    'it has no addresses of its own': world(
      object('Subnet', 'apps', { spec: { provider: 'x' }, status: { v4usingIPs: 7 } }),
    ),
    'the controller has not written a status yet': world(subnet(undefined), one),
  },
  unknown: {
    'the count is missing': world(subnet({}), one),
    'the count is no count': world(subnet({ v4usingIPs: '-1' }), one),
    'the count is beyond what JSON can say': world(
      subnet({ v6usingIPs: 1e21 }, { protocol: 'IPv6', cidrBlock: 'fd00::/48' }),
    ),
    'an excluded address cannot be read': world(
      subnet({ v4usingIPs: 1 }, { excludeIps: ['10.17.0'] }),
      one,
    ),
    'Vips are not listed': world(subnet({ v4usingIPs: 1 }), one, two).unlisted('Vip'),
  },
  violation: {
    'more is counted than held': {
      given: world(subnet({ v4usingIPs: 3 }), one, two),
      summary: 'subnet apps counts 3 addresses in use, but 2 are held',
    },
    'the IPAM has addresses that nothing records': {
      given: world(subnet({ v4usingIPs: 4, v4usingIPrange: '10.17.0.10-10.17.0.13' }), one, two),
      summary:
        'subnet apps counts 4 addresses in use, but 2 are held: its IPAM has 2 more than objects record',
    },
    'the IPAM lacks one, and more have several records than are named': {
      given: world(
        subnet({ v4usingIPs: 5, v4usingIPrange: '10.17.0.10-10.17.0.12' }),
        ...['10', '11', '12', '13'].flatMap((n) => [
          at(`a${n}.shop`, `10.17.0.${n}`),
          at(`b${n}.shop`, `10.17.0.${n}`),
        ]),
      ),
      summary:
        'subnet apps counts 5 addresses in use, but 4 are held: its IPAM has 1 less than objects record, 10.17.0.10 has 2 records, 10.17.0.11 has 2 records, 10.17.0.12 has 2 records, 1 more have several',
    },
    'less is counted than held': {
      given: world(
        subnet({ v4usingIPs: '1' }),
        counted('a.shop', '10.17.0.10'),
        counted('b.shop', '10.17.0.11'),
      ),
      summary: 'subnet apps counts 1 addresses in use, but 2 are held',
    },
    'one address held twice is counted twice': {
      given: world(
        subnet({ v4usingIPs: 2 }),
        one,
        object('Vip', 'v', { spec: { subnet: 'apps', v4ip: '10.17.0.10' } }),
      ),
      summary: 'subnet apps counts 2 addresses in use, but 1 are held: 10.17.0.10 has 2 records',
    },
    'nothing is held, the count says otherwise': {
      given: world(subnet({ v4usingIPs: 1 })),
      summary: 'subnet apps counts 1 addresses in use, but 0 are held',
    },
    'excluded addresses are counted': {
      given: world(subnet({ v4usingIPs: 2 }, { excludeIps: ['10.17.0.11'] }), one, two),
      summary: 'subnet apps counts 2 addresses in use, but 1 are held',
    },
    'IPv6 is miscounted': {
      given: world(
        subnet({ v6usingIPs: 2 }, { protocol: 'IPv6', cidrBlock: 'fd00::/64', gateway: 'fd00::1' }),
        six('a.shop', 'fd00::10'),
      ),
      summary: 'subnet apps counts 2 addresses in use, but 1 are held',
    },
    'dual-stack records are counted by family': {
      given: world(
        subnet(
          { v4usingIPs: 4, v6usingIPs: 4 },
          { protocol: 'Dual', cidrBlock: '10.17.0.0/24,fd00::/64' },
        ),
        both('a.shop', '10'),
        both('b.shop', '11'),
      ),
      summary: 'subnet apps counts 4 addresses in use, but 2 are held',
    },
    'the IPv6 count of a dual-stack subnet is wrong': {
      given: world(
        subnet(
          { v4usingIPs: 2, v6usingIPs: 9 },
          { protocol: 'Dual', cidrBlock: '10.17.0.0/24,fd00::/64' },
        ),
        both('a.shop', '10'),
        both('b.shop', '11'),
      ),
      summary:
        'subnet apps counts 9 IPv6 addresses in use, and should count 2 as for IPv4, since each holder of an address counts for both',
    },
    'it became dual-stack, and no record has an IPv6 address yet': {
      given: world(
        subnet(
          { v4usingIPs: 2, v6usingIPs: 0 },
          { protocol: 'Dual', cidrBlock: '10.17.0.0/24,fd00::/64' },
        ),
        counted('a.shop', '10.17.0.10'),
        counted('b.shop', '10.17.0.11'),
      ),
      summary:
        'subnet apps counts 0 IPv6 addresses in use, and should count 2 as for IPv4, since each holder of an address counts for both',
    },
    'a reservation has no label': {
      given: world(subnet({ v4usingIPs: 1 }), one, counted('b.shop', '10.17.0.11')),
      summary:
        'subnet apps counts 1 addresses in use, but 2 are held: the controller does not count IP a.shop without the label apps=""',
    },
    'more have none than are named': {
      given: world(
        subnet({ v4usingIPs: 1 }),
        counted('e.shop', '10.17.0.20'),
        ...['d', 'c', 'b', 'a'].map((it, nth) => at(`${it}.shop`, `10.17.0.${nth + 10}`)),
      ),
      summary:
        'subnet apps counts 1 addresses in use, but 5 are held: the controller does not count IPs a.shop, b.shop, c.shop and 1 more without the label apps=""',
    },
    'those without a label that explain nothing are not named': {
      given: world(
        subnet({ v4usingIPs: 1 }, { excludeIps: ['10.17.0.11'] }),
        one,
        two,
        object('Vip', 'v', { spec: { subnet: 'apps' }, status: { v4ip: '10.17.0.10' } }),
        counted('c.shop', '10.17.0.12'),
      ),
      summary: 'subnet apps counts 1 addresses in use, but 2 are held: 10.17.0.10 has 2 records',
    },
  },
});
