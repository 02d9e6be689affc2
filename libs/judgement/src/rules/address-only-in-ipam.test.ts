import { ip, object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './address-only-in-ipam';

const subnet = (status: Record<string, unknown>, spec: Record<string, unknown> = {}) =>
  object('Subnet', 'apps', {
    spec: {
      cidrBlock: '10.17.0.0/16',
      protocol: 'IPv4',
      gateway: '10.17.0.1',
      excludeIps: ['10.17.0.1'],
      ...spec,
    },
    status,
  });
const at = (name: string, v4IpAddress: string) => ip(name, { v4IpAddress, ipAddress: v4IpAddress });
const one = at('a.shop', '10.17.0.10');
const two = at('b.shop', '10.17.0.11');

testRule(rule, {
  healthy: {
    'each has its record': world(
      subnet({ v4usingIPrange: '10.17.0.10-10.17.0.11', v6usingIPrange: '' }),
      one,
      two,
    ),
    'records of other kinds are records': world(
      subnet({ v4usingIPrange: '10.17.0.30' }),
      object('Vip', 'v', { spec: { subnet: 'apps' }, status: { v4ip: '10.17.0.30' } }),
    ),
    'nothing is in use': world(subnet({ v4usingIPrange: '', v6usingIPrange: '' }), one),
    'the release writes no ranges': world(subnet({ v4usingIPs: 1 })),
    'the range cannot be read': world(subnet({ v4usingIPrange: '10.17.0.10-' })),
    'it is excluded, and nobody gets it anyway': world(
      subnet(
        { v4usingIPrange: '10.17.0.10-10.17.0.20' },
        { excludeIps: ['10.17.0.1', '10.17.0.12..10.17.0.20'] },
      ),
      one,
      two,
    ),
    "the subnet's own addresses are recorded in its status": world(
      subnet({
        v4usingIPrange: '10.17.0.10,10.17.0.98-10.17.0.99',
        u2oInterconnectionIP: '10.17.0.99',
        mcastQuerierIP: '10.17.0.98',
      }),
      one,
    ),
    'and by objects as well': world(
      subnet({ v4usingIPrange: '10.17.0.10,10.17.0.99', u2oInterconnectionIP: '10.17.0.99' }),
      one,
      at('u2o', '10.17.0.99'),
    ),
    'less is in use than recorded': world(subnet({ v4usingIPrange: '10.17.0.10' }), one, two),
    'it has no addresses of its own': world(
      object('Subnet', 'apps', { spec: { provider: 'x' }, status: { v4usingIPs: 0 } }),
    ),
  },
  unknown: {
    'an excluded address cannot be read': world(
      subnet({ v4usingIPrange: '10.17.0.10' }, { excludeIps: ['10.17.0'] }),
    ),
    'addresses are not listed': world(subnet({ v4usingIPrange: '10.17.0.10' })).unlisted('IP'),
  },
  violation: {
    'nobody records one': {
      given: world(subnet({ v4usingIPrange: '10.17.0.10-10.17.0.12' }), one, two),
      summary:
        'Kube-OVN counts 1 IPv4 address of subnet apps as used that no object records: 10.17.0.12',
      parts: ['status=v4usingIPrange'],
    },
    'nobody records any': {
      given: world(subnet({ v4usingIPrange: '10.17.0.10-10.17.0.12,10.17.0.20' })),
      summary:
        'Kube-OVN counts 4 IPv4 addresses of subnet apps as used that no object records: 10.17.0.10-10.17.0.12, 10.17.0.20',
    },
    'a record in excludeIps records none of these': {
      given: world(
        subnet({ v4usingIPrange: '10.17.0.10-10.17.0.11' }, { excludeIps: ['10.17.0.12'] }),
        one,
        at('c.shop', '10.17.0.12'),
      ),
      summary:
        'Kube-OVN counts 1 IPv4 address of subnet apps as used that no object records: 10.17.0.11',
    },
    'too many to read each': {
      given: world(subnet({ v4usingIPrange: '10.17.0.10-10.17.40.9' }), one),
      summary: 'Kube-OVN counts 10239 IPv4 addresses of subnet apps as used that no object records',
    },
    'the subnet became dual-stack after its records': {
      given: world(
        subnet(
          { v4usingIPrange: '10.17.0.10-10.17.0.11', v6usingIPrange: 'fd00::2-fd00::3' },
          { cidrBlock: '10.17.0.0/16,fd00::/64', protocol: 'Dual' },
        ),
        one,
        two,
      ),
      summary:
        'Kube-OVN counts 2 IPv6 addresses of subnet apps as used that no object records: fd00::2-fd00::3. Each start takes one for each IP object without an IPv6 address',
    },
    'some of the records have both addresses': {
      given: world(
        subnet(
          { v4usingIPrange: '10.17.0.10-10.17.0.11', v6usingIPrange: 'fd00::2-fd00::5' },
          { cidrBlock: '10.17.0.0/16,fd00::/64', protocol: 'Dual' },
        ),
        one,
        ip('b.shop', {
          v4IpAddress: '10.17.0.11',
          v6IpAddress: 'fd00::2',
          ipAddress: '10.17.0.11,fd00::2',
        }),
      ),
      summary:
        'Kube-OVN counts 3 IPv6 addresses of subnet apps as used that no object records: fd00::3-fd00::5. Each start takes one for each IP object without an IPv6 address',
    },
    'both families': {
      given: world(
        subnet(
          { v4usingIPrange: '10.17.0.10', v6usingIPrange: 'fd00::10' },
          { cidrBlock: '10.17.0.0/16,fd00::/64', protocol: 'Dual' },
        ),
      ),
      summary: [
        'Kube-OVN counts 1 IPv4 address of subnet apps as used that no object records: 10.17.0.10',
        'Kube-OVN counts 1 IPv6 address of subnet apps as used that no object records: fd00::10',
      ],
    },
  },
});
