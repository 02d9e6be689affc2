import { entityOf, object } from '../testing/builders';
import { externalAddressesOf } from './external-addresses';

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
