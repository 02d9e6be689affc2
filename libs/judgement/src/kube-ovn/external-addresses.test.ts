import { entityOf, object } from '../testing/builders';
import {
  addressesOfIptablesEip,
  addressesOfOvnEip,
  externalAddressesOf,
} from './external-addresses';

const given = (status: Record<string, string>, labels: Record<string, string> = {}): string[] =>
  externalAddressesOf(entityOf(object('OvnFip', 'web', { metadata: { labels }, status })));

test('a rule has the addresses of its status and labels, each once and in one spelling', () => {
  expect(
    given(
      { v4Eip: '198.51.100.9', v6Eip: '2001:DB8:0::9' },
      {
        'ovn.kubernetes.io/eip_v4_ip': '198.51.100.9',
        'ovn.kubernetes.io/eip_v6_ip': '2001:db8::9',
      },
    ),
  ).toEqual(['198.51.100.9', '2001:db8::9']);
});

test('what is empty or no address is none', () => {
  expect(given({ v4Eip: '', v6Eip: 'none' }, { 'ovn.kubernetes.io/eip_v4_ip': '' })).toEqual([]);
});

test('an external address has what it was given and what it requests, each once', () => {
  const spec = { v4Ip: '198.51.100.9', v6Ip: '2001:DB8:0::9', v4ip: '198.51.100.8' };
  const status = { v4Ip: '198.51.100.7', v6Ip: '2001:db8::9', ip: '198.51.100.8' };
  expect(addressesOfOvnEip(entityOf(object('OvnEip', 'web', { spec, status })))).toEqual([
    '198.51.100.7',
    '2001:db8::9',
    '198.51.100.9',
  ]);
  const iptables = (more: object) =>
    addressesOfIptablesEip(entityOf(object('IptablesEIP', 'web', { spec, ...more })));
  expect(iptables({ status })).toEqual(['198.51.100.8']);
  expect(iptables({})).toEqual(['198.51.100.8']);
});
