import { ip, object } from '../testing/builders';
import { world } from '../testing/world-builder';
import { addressLedger } from './address-ledger';

const subnet = object('Subnet', 'apps', { status: { v4usingIPrange: '10.17.0.9-10.17.0.10' } });
const both = ip('web-0.shop', { v4IpAddress: '10.17.0.10', v6IpAddress: 'fd00::10' });
const vip = (name: string, v4ip: string, metadata: Record<string, unknown> = {}) =>
  object('Vip', name, { metadata, spec: { subnet: 'apps' }, status: { v4ip } });
const brief = (given: ReturnType<typeof world>) =>
  addressLedger(given.fold(), 'apps')?.map((entry) => [
    entry.address,
    entry.records.map(({ kind, name }) => `${kind} ${name}`).join(', '),
    entry.holders,
    entry.inIpam,
  ]);

test('each address of both families once, in order, with all that record it', () =>
  expect(
    brief(
      world(
        subnet,
        both,
        vip('front', '10.17.0.9'),
        ip('db-0.shop', { v4IpAddress: '10.17.0.9' }),
        ip('else.shop', { subnet: 'other', v4IpAddress: '10.17.0.7' }),
        object('IptablesEIP', 'gw', {
          spec: { externalSubnet: 'apps', natGwDp: 'edge' },
          status: { ip: '10.17.0.20' },
        }),
      ),
    ),
  ).toEqual([
    ['10.17.0.9', 'IP db-0.shop, Vip front', 2, true],
    ['10.17.0.10', 'IP web-0.shop', 1, true],
    ['10.17.0.20', 'IptablesEIP gw', 1, false],
    ['fd00::10', 'IP web-0.shop', 1, null],
  ]));

test('a Vip that is reserved for the port is no second holder, one that goes none at all', () =>
  expect(
    brief(
      world(
        subnet,
        both,
        vip('mine', '10.17.0.10', { labels: { 'ovn.kubernetes.io/ip_reserved': 'web-0.shop' } }),
        vip('going', '10.17.0.10', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      ),
    )?.[0],
  ).toEqual(['10.17.0.10', 'IP web-0.shop, Vip going, Vip mine', 1, true]));

test('says for whom a record is', () =>
  expect(addressLedger(world(subnet, both).fold(), 'apps')?.[0]?.records).toEqual([
    { kind: 'IP', name: 'web-0.shop', of: 'shop/web-0', terminating: false },
  ]));

test('is not known while a kind of records is not', () =>
  expect(addressLedger(world(subnet, both).unlisted('OvnEip').fold(), 'apps')).toBeUndefined());
