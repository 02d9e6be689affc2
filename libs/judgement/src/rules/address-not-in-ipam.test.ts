import { ip, object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './address-not-in-ipam';

const subnet = (status: Record<string, unknown>, spec: Record<string, unknown> = {}) =>
  object('Subnet', 'apps', {
    spec: {
      cidrBlock: '10.17.0.0/24,fd00::/64',
      protocol: 'Dual',
      gateway: '10.17.0.1,fd00::1',
      excludeIps: ['10.17.0.1', 'fd00::1'],
      ...spec,
    },
    status,
  });
const vip = (status: Record<string, unknown> | undefined, metadata: Record<string, unknown> = {}) =>
  object('Vip', 'v', {
    metadata,
    spec: { subnet: 'apps', v4ip: '10.17.0.30' },
    ...(status ? { status } : {}),
  });
const given = { v4ip: '10.17.0.30', v6ip: 'fd00::30' };
const all = { v4usingIPrange: '10.17.0.10-10.17.0.40', v6usingIPrange: 'fd00::10-fd00::40' };
const eip = object('OvnEip', 'o', {
  spec: { externalSubnet: 'apps' },
  status: { v4Ip: '10.17.0.32', v6Ip: 'fd00:0:0::32' },
});
const says = (address: string, who: string): string =>
  `${address} of subnet apps is held by ${who}, but Kube-OVN counts it as free and may give it to a pod`;

testRule(rule, {
  healthy: {
    'all that is held is in use': world(
      subnet(all),
      vip(given),
      eip,
      object('IptablesEIP', 'e', {
        spec: { externalSubnet: 'apps' },
        status: { ip: '10.17.0.31' },
      }),
    ),
    'it is excluded, as it should be': world(
      subnet({ ...all, v6usingIPrange: '' }, { excludeIps: ['10.17.0.1', 'fd00::30'] }),
      vip(given),
    ),
    'only pods hold addresses': world(
      subnet({ v4usingIPrange: '', v6usingIPrange: '' }),
      ip('a.shop'),
    ),
    'the release writes no ranges': world(subnet({ v4usingIPs: 1 }), vip(given)),
    'the range cannot be read': world(
      subnet({ v4usingIPrange: 'many', v6usingIPrange: '' }),
      vip({ v4ip: '10.17.0.30' }),
    ),
    'the Vip only asks for it': world(
      subnet({ v4usingIPrange: '', v6usingIPrange: '' }),
      vip(undefined),
    ),
    'the Vip goes, and has given it back': world(
      subnet({ v4usingIPrange: '', v6usingIPrange: '' }),
      vip(given, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x'] }),
    ),
    'the subnet goes': world(
      object('Subnet', 'apps', {
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
        spec: { cidrBlock: '10.17.0.0/24' },
        status: { v4usingIPrange: '' },
      }),
      vip(given),
    ),
    'it is no address of the subnet': world(
      subnet({ v4usingIPrange: '', v6usingIPrange: '' }, { cidrBlock: '10.18.0.0/24,fd01::/64' }),
      vip(given),
    ),
    'an IPv6 address of an IptablesEIP, which is never given from the subnet': world(
      subnet({ v4usingIPrange: '10.17.0.31', v6usingIPrange: '' }),
      object('IptablesEIP', 'e', {
        spec: { externalSubnet: 'apps', v6ip: 'fd00::31' },
        status: { ip: '10.17.0.31' },
      }),
    ),
  },
  unknown: {
    'an excluded address cannot be read': world(
      subnet(all, { excludeIps: ['10.17.0'] }),
      vip(given),
    ),
  },
  violation: {
    'the IPv6 address of a Vip, after a restart': {
      given: world(subnet({ ...all, v6usingIPrange: '' }), vip(given)),
      summary: says('fd00::30', 'Vip v'),
      parts: ['spec.excludeIps=fd00::30'],
      concerns: ['v'],
    },
    'the IPv6 address of an OvnEip, written in another way': {
      given: world(subnet({ ...all, v6usingIPrange: 'fd00::10-fd00::31,fd00::33' }), eip),
      summary: says('fd00::32', 'OvnEip o'),
    },
    'both addresses of a Vip': {
      given: world(subnet({ v4usingIPrange: '', v6usingIPrange: '' }), vip(given)),
      summary: [says('10.17.0.30', 'Vip v'), says('fd00::30', 'Vip v')],
    },
    'two that hold the same': {
      given: world(
        subnet({ v4usingIPrange: '', v6usingIPrange: '' }),
        vip({ v4ip: '10.17.0.30' }),
        object('OvnEip', 'o', { spec: { externalSubnet: 'apps' }, status: { v4Ip: '10.17.0.30' } }),
      ),
      summary: says('10.17.0.30', 'OvnEip o, Vip v'),
    },
  },
});
