import { formatIp } from '@ovn-steward/shared/address';
import { entityOf, ip, object } from '../testing/builders';
import type { Built } from '../testing/builders';
import type { HolderKind } from './address-holders';
import { holdingsOf } from './address-holders';

const LABEL = 'ovn.kubernetes.io/subnet';
const held = (built: Built<HolderKind>) =>
  holdingsOf(entityOf(built)).map((it) => `${it.subnet}: ${it.addresses.map(formatIp).join(' ')}`);

test.each<[string, Built<HolderKind>, string[]]>([
  [
    'an IP of both families',
    ip('a.shop', { v6IpAddress: 'FD00:0::1' }),
    ['apps: 10.17.0.10 fd00::1'],
  ],
  [
    'an IP with attachments',
    ip('a.shop', { attachSubnets: ['x', 'y'], attachIps: ['10.1.0.1,fd00::2'] }),
    ['apps: 10.17.0.10', 'x: 10.1.0.1 fd00::2', 'y: '],
  ],
  ['an IP of no subnet', ip('a.shop', { subnet: '' }), []],
  ['an IP whose address cannot be read', ip('a.shop', { v4IpAddress: '10.17.0' }), ['apps: ']],
  [
    'a Vip as it was given',
    object('Vip', 'v', {
      spec: { subnet: 'apps', v4ip: '10.17.0.1' },
      status: { v4ip: '10.17.0.2', v6ip: 'fd00::2' },
    }),
    ['apps: 10.17.0.2 fd00::2'],
  ],
  [
    'a Vip as it was asked for',
    object('Vip', 'v', { spec: { subnet: 'apps', v4ip: '10.17.0.1' } }),
    ['apps: 10.17.0.1'],
  ],
  [
    'an IptablesEIP by its label',
    object('IptablesEIP', 'e', {
      metadata: { labels: { [LABEL]: 'l' } },
      spec: { externalSubnet: 's' },
      status: { ip: '1.0.0.1' },
    }),
    ['l: 1.0.0.1'],
  ],
  [
    'an IptablesEIP by its spec',
    object('IptablesEIP', 'e', { spec: { externalSubnet: 's', v4ip: '1.0.0.2', v6ip: 'fd00::3' } }),
    ['s: 1.0.0.2 fd00::3'],
  ],
  [
    'an IptablesEIP that names no subnet',
    object('IptablesEIP', 'e', { status: { ip: '1.0.0.1' } }),
    ['ovn-vpc-external-network: 1.0.0.1'],
  ],
  [
    'an OvnEip',
    object('OvnEip', 'o', {
      spec: { externalSubnet: 's', v4Ip: '1.0.0.1' },
      status: { v4Ip: '1.0.0.2' },
    }),
    ['s: 1.0.0.2'],
  ],
  ['an OvnEip that names no subnet', object('OvnEip', 'o', { status: { v4Ip: '1.0.0.2' } }), []],
])('%s', (_, built, expected) => expect(held(built)).toEqual(expected));
