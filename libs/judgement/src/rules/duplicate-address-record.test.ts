import { ip, object } from '../testing/builders';
import { findings, testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './duplicate-address-record';

const born = (creationTimestamp: string) => ({ metadata: { creationTimestamp } });
const older = ip('web-0.shop', {}, born('2026-01-01T00:00:00Z'));
const vip = (name: string, v4ip: string, metadata: Record<string, unknown> = {}) =>
  object('Vip', name, { spec: { subnet: 'apps', v4ip }, status: { v4ip }, metadata });
const asking = object('Vip', 'front', { spec: { subnet: 'apps', v4ip: '10.17.0.10' } });
const external = (name: string, v4: string) =>
  ip(name, { subnet: 'ext', v4IpAddress: v4, ipAddress: v4 });

testRule(rule, {
  healthy: {
    'the addresses differ': world(
      older,
      ip('web-1.shop', { v4IpAddress: '10.17.0.11', ipAddress: '10.17.0.11' }),
    ),
    'the same address is of another subnet': world(older, ip('web-1.shop', { subnet: 'other' })),
    'the other is being deleted': world(
      older,
      vip('front', '10.17.0.10', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
    'it is being deleted itself': world(
      ip('web-0.shop', {}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      vip('front', '10.17.0.10'),
    ),
    'the Vip is bound to its port': world(
      older,
      vip('front', '10.17.0.10', { labels: { 'ovn.kubernetes.io/ip_reserved': 'web-0.shop' } }),
    ),
    'a Vip asks for it, and was refused': world(older, asking),
    'neither has an address yet': world(
      ip('a.shop', { v4IpAddress: '', ipAddress: '' }),
      ip('b.shop', { v4IpAddress: '', ipAddress: '' }),
    ),
  },
  unknown: { 'Vips are not listed': world(older, vip('front', '10.17.0.10')).unlisted('Vip') },
  violation: {
    'a Vip has it': {
      given: world(older, vip('front', '10.17.0.10')),
      summary: '10.17.0.10 of subnet apps is held by IP web-0.shop and by Vip front',
      concerns: ['front'],
      parts: ['spec.ipAddress=10.17.0.10'],
    },
    'a Vip bound to another port has it': {
      given: world(
        older,
        vip('front', '10.17.0.10', { labels: { 'ovn.kubernetes.io/ip_reserved': 'web-1.shop' } }),
      ),
      summary: '10.17.0.10 of subnet apps is held by IP web-0.shop and by Vip front',
    },
    'a younger IP has it': {
      given: world(older, ip('web-1.shop', {}, born('2026-01-02T00:00:00Z'))),
      summary: '10.17.0.10 of subnet apps is held by IP web-1.shop and by IP web-0.shop',
      concerns: ['web-0.shop'],
    },
    'two of one age have it': {
      given: world(ip('a.shop'), ip('b.shop')),
      summary: '10.17.0.10 of subnet apps is held by IP b.shop and by IP a.shop',
    },
    "an attached address is another's": {
      given: world(
        older,
        ip(
          'db-0.shop',
          {
            subnet: 'data',
            v4IpAddress: '172.20.0.1',
            ipAddress: '172.20.0.1',
            attachSubnets: ['apps'],
            attachIps: ['10.17.0.10'],
          },
          born('2026-01-02T00:00:00Z'),
        ),
      ),
      summary: '10.17.0.10 of subnet apps is held by IP db-0.shop and by IP web-0.shop',
    },
    "a NAT gateway's own address is an IptablesEIP's": {
      given: world(
        external('vpc-nat-gw-gw-0.kube-system', '198.51.100.5'),
        object('IptablesEIP', 'e', {
          spec: { externalSubnet: 'ext', natGwDp: 'gw' },
          status: { ip: '198.51.100.5' },
        }),
      ),
      summary:
        '198.51.100.5 of subnet ext is held by IP vpc-nat-gw-gw-0.kube-system and by IptablesEIP e',
    },
    'an OvnEip has the IPv6 address, in another spelling': {
      given: world(
        ip('web-0.shop', { v6IpAddress: 'fd00::10' }),
        object('OvnEip', 'e', { spec: { externalSubnet: 'apps' }, status: { v6Ip: 'FD00:0::10' } }),
      ),
      summary: 'fd00::10 of subnet apps is held by IP web-0.shop and by OvnEip e',
    },
  },
});

test('an address recorded by hundreds is reported in some words, not in all pairs', () => {
  const found = findings(
    rule,
    world(...Array.from({ length: 200 }, (_, i) => ip(`web-${i}.shop`))),
  );
  expect(found.length).toBeGreaterThan(10);
  expect(Math.max(...found.map((it) => it.concerns!.length))).toBeLessThanOrEqual(50);
});
