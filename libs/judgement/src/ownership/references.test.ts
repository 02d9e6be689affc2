import { textNames, textReferences, weakReferences } from './references';
import type { NbRow } from './grammar/row';

const row = (kind: string, object: Record<string, unknown>, name = ''): NbRow => ({
  kind,
  uid: 'u',
  name,
  object,
});

it.each([
  [
    row('Logical_Switch', { load_balancer: ['lb1', 'lb2'], dns_records: ['d'], copp: ['c'] }),
    ['lb1', 'lb2', 'd', 'c'],
  ],
  [
    row('Logical_Switch_Port', {
      dhcpv4_options: 'one',
      dhcpv6_options: ['two'],
      mirror_rules: ['m'],
    }),
    ['one', 'two', 'm'],
  ],
  [row('Logical_Router', { load_balancer: ['lb'], copp: 'c' }), ['lb', 'c']],
  [row('Logical_Router_Static_Route', { bfd: 'b' }), ['b']],
  [row('Logical_Router_Policy', { bfd_sessions: ['b'], output_port: 'p' }), ['b', 'p']],
  [row('NAT', { gateway_port: 'p' }), ['p']],
  [row('Load_Balancer_Group', { load_balancer: ['lb'] }), ['lb']],
  [row('Port_Group', { ports: ['p'] }), []],
  [row('Firewall', { rules: ['a'], by: { k: 'b' }, _parents: [{ uid: 'c' }], n: 3 }), ['a', 'b']],
])('finds the uids %j refers to', (it, uids) => expect(weakReferences(it)).toEqual(uids));

it("counts a port among the referrers of its groups unless it is Kube-OVN's", () => {
  const groups = { _port_groups: ['g1', 'g2'] };
  expect(weakReferences(row('Logical_Switch_Port', groups, 'bare'))).toEqual(['g1', 'g2']);
  const ours = { vendor: 'kube-ovn', ls: 'apps', pod: 'ns1/web-0' };
  expect(
    weakReferences(row('Logical_Switch_Port', { ...groups, external_ids: ours }, 'web-0.ns1')),
  ).toEqual([]);
  expect(
    weakReferences(row('Logical_Switch_Port', { ...groups, external_ids: ours }, 'other.ns1')),
  ).toEqual(['g1', 'g2']);
});

it.each([
  [
    row('ACL', { match: 'outport == @pg && ip4.src == $pg.x_ip4 && ip4.dst == $as', meter: ['m'] }),
    ['pg:pg', 'as:pg.x_ip4', 'pg:pg.x', 'as:as', 'meter:m'],
  ],
  [
    row('ACL', { match: 'inport == @pg && ip6.src == $pg.y_ip6' }),
    ['pg:pg', 'as:pg.y_ip6', 'pg:pg.y'],
  ],
  [
    row('Logical_Router_Policy', { match: 'is_chassis_resident("cr-r-x")' }),
    ['lsp:cr-r-x', 'lrp:cr-r-x', 'lrp:r-x'],
  ],
  [row('QoS', { match: 'inport == "p"' }), ['lsp:p', 'lrp:p']],
  [row('Mirror_Rule', { match: 'inport == "p"' }), ['lsp:p', 'lrp:p']],
  [row('NAT', { logical_port: 'web.ns', match: 'ip4.dst == $s' }), ['lsp:web.ns', 'as:s']],
  [
    row('Logical_Switch_Port', {
      options: { 'router-port': 'r-s', 'virtual-parents': 'a, b,,' },
      parent_name: 'trunk',
      peer: ['far'],
    }),
    ['lrp:r-s', 'lsp:a', 'lsp:b', 'lsp:trunk', 'lsp:far'],
  ],
  [
    row('Logical_Switch_Port', {
      options: { 'nat-addresses': '0a:00 1.2.3.4 is_chassis_resident("cr-r-x")' },
    }),
    ['lsp:cr-r-x', 'lrp:cr-r-x', 'lrp:r-x'],
  ],
  [row('Logical_Router_Port', { peer: 'b-a' }), ['lrp:b-a']],
  [row('Logical_Router_Static_Route', { output_port: ['r-s'] }), ['lrp:r-s']],
  [
    row('Load_Balancer', {
      ip_port_mappings: {
        '10.0.0.2': 'web.ns:10.0.0.9',
        '[fd00::2]': 'web6.ns:[fd00::9]',
        x: 'bare',
      },
    }),
    ['lsp:web.ns', 'lsp:web6.ns', 'lsp:bare'],
  ],
  [row('Forwarding_Group', { child_port: ['a', 'b'] }), ['lsp:a', 'lsp:b']],
  [row('Copp', { meters: { arp: 'm1', icmp4: 'm1' } }), ['meter:m1']],
  [row('Mirror', { type: 'lport', sink: 'p' }), ['lsp:p']],
  [row('Mirror', { type: 'gre', sink: '192.0.2.1' }), []],
  [row('BFD', { logical_port: 'r-x' }), ['lrp:r-x']],
  [row('Static_MAC_Binding', { logical_port: 'r-x' }), ['lrp:r-x']],
  [row('Address_Set', { addresses: ['10.0.0.1'] }), []],
  [row('Firewall', { group: 'g' }), ['lsp:g', 'lrp:g', 'pg:g', 'as:g', 'meter:g']],
])('finds the names %j refers to', (it, names) => expect(textReferences(it)).toEqual(names));

it.each([
  ['Logical_Switch_Port', 'lsp:x'],
  ['Logical_Router_Port', 'lrp:x'],
  ['Port_Group', 'pg:x'],
  ['Address_Set', 'as:x'],
  ['Meter', 'meter:x'],
])('a %s answers to %s', (kind, name) => {
  expect(textNames(row(kind, {}, 'x'))).toEqual([name]);
  expect(textNames(row(kind, {}))).toEqual([]);
});

it('gives a row without a name in any text none to answer to', () =>
  expect(textNames(row('ACL', {}, 'x'))).toEqual([]));
