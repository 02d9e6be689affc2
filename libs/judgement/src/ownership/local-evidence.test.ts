import { isPrivatePart, localEvidence, protects } from './local-evidence';
import type { NbRow } from './grammar/row';

const row = (
  kind: string,
  external_ids: Record<string, string>,
  object: Record<string, unknown> = {},
  name = '',
): NbRow => ({ kind, uid: 'u', name, object: { external_ids, ...object } });

it.each([
  [
    'a person',
    row('ACL', { vendor: 'kube-ovn', parent: 'x', 'ovn-steward.dev/protect': 'audit' }),
    'user',
  ],
  ['the database itself', row('NB_Global', { 'neutron:liveness_check_at': 'now' }), 'system'],
  ['an unknown table', row('Firewall', {}), 'unknown'],
  ['a key in a table Kube-OVN never writes', row('QoS', { 'neutron:port_id': 'x' }), 'neutron'],
  ['DNS with ls_name', row('DNS', { ls_name: 'x' }), 'neutron'],
  [
    'a transit switch',
    row('Logical_Switch', {}, { other_config: { 'interconn-ts': 'ts1' } }, 'ts1'),
    'ovn-ic',
  ],
  [
    'a transit router',
    row('Logical_Router', { vendor: 'kube-ovn' }, { options: { 'interconn-tr': '1' } }),
    'ovn-ic',
  ],
  [
    'a transit router port',
    row('Logical_Router_Port', {}, { options: { 'interconn-tr': '1' } }),
    'ovn-ic',
  ],
  [
    'a transit port',
    row('Logical_Switch_Port', {}, { options: { 'interconn-tsp': '1' } }),
    'ovn-ic',
  ],
  ['a remote port', row('Logical_Switch_Port', {}, { type: 'remote' }), 'ovn-ic'],
  [
    'a learned route',
    row('Logical_Router_Static_Route', { 'ic-learned-route': 'x', vendor: 'kube-ovn' }),
    'ovn-ic',
  ],
  ['a learned set', row('Address_Set', { 'ic-learnt': 'true' }), 'ovn-ic'],
  [
    "Octavia, under Neutron's prefix",
    row('Load_Balancer', {
      'neutron:vip': '1.2.3.4',
      'neutron:additional_vips': '',
      ls_refs: '{}',
    }),
    'octavia',
  ],
  [
    'two writers at once',
    row('Port_Group', { 'neutron:security_group_id': 'x', incus_project_id: '1' }),
    'shared',
  ],
  ['DHCP options with subnet_id', row('DHCP_Options', { subnet_id: 'x' }), 'neutron'],
  ['EVPN keys', row('Logical_Router_Port', { vni: '1', vlan: '2' }), 'neutron'],
  ["oVirt's pair of keys", row('DHCP_Options', { gateway_router: 'x', ip_version: '4' }), 'ovirt'],
  ['a hybrid subnet policy', row('Logical_Router_Policy', { name: 'hybrid-subnet-x' }), 'ovn-k8s'],
  ["half of oVirt's pair", row('DHCP_Options', { gateway_router: 'x' }), 'unknown'],
  ['a NAT into which Neutron moved a MAC', row('NAT', { 'neutron:fip_external_mac': 'x' }), 'none'],
  [
    'such a NAT with a column nobody knows',
    row('NAT', { 'neutron:fip_external_mac': 'x' }, { tomorrow: 'x' }),
    'neutron',
  ],
  [
    "a NAT of Neutron's",
    row('NAT', { 'neutron:fip_external_mac': 'x', 'neutron:fip_id': 'y' }),
    'neutron',
  ],
  [
    "a keyless BFD on Neutron's port",
    row('BFD', {}, { logical_port: 'lrp-8f3a1c2e-0b5d-4e6f-9a7b-1c2d3e4f5a6b' }),
    'neutron',
  ],
  ['nothing at all', row('ACL', {}), 'none'],
  ['no column for keys', { kind: 'ACL', uid: 'u', name: '', object: {} }, 'none'],
  [
    'keys that are not a map',
    { kind: 'ACL', uid: 'u', name: '', object: { external_ids: ['vendor'] } },
    'none',
  ],
])('%s', (_, nbRow, owner) => {
  const evidence = localEvidence(nbRow);
  expect(evidence.owner).toBe(owner);
  expect(evidence.evidence.length).toBeGreaterThan(0);
});

it('takes a group that only lacks the tag for a weak sign of Kube-OVN', () => {
  expect(localEvidence(row('Port_Group', { np: 'ns/a' }, {}, 'a.ns'))).toMatchObject({
    owner: 'kube-ovn',
    strength: 1,
  });
  expect(localEvidence(row('Port_Group', { np: 'ns/a' }, {}, 'backup.np'))).toMatchObject({
    owner: 'unknown',
    strength: 0,
  });
});

it.each([
  ['Gateway_Chassis', {}, false],
  ['Gateway_Chassis', { lrp: 'x' }, false],
  ['Gateway_Chassis', { lrp: 'x', team: 'y' }, true],
  ['HA_Chassis', {}, false],
  ['Meter_Band', { vendor: 'kube-ovn' }, false],
  ['Meter_Band', { vendor: 'other' }, true],
  ['Load_Balancer_Health_Check', { switch_lb_subnet: 'a' }, false],
  ['Load_Balancer_Health_Check', { 'octavia:vip': 'a' }, true],
  ...[
    'ACL',
    'NAT',
    'Logical_Router_Static_Route',
    'Logical_Router_Policy',
    'Logical_Switch_Port',
    'Logical_Router_Port',
    'Port_Group',
    'QoS',
  ].map((it) => [it, {}, true] as const),
  ['Port_Group', { np: 'ns/a' }, true],
  ['ACL', { vendor: 'kube-ovn', parent: 'x' }, false],
] as const)('%s with keys %j protects what holds it: %s', (kind, ids, expected) => {
  const nbRow = row(kind, ids, {}, kind === 'Port_Group' ? 'a.ns' : '');
  expect(protects(localEvidence(nbRow), nbRow)).toBe(expected);
});

it('counts four tables as parts of what holds them', () => {
  expect(
    [
      'Gateway_Chassis',
      'HA_Chassis',
      'Meter_Band',
      'Load_Balancer_Health_Check',
      'ACL',
      'NAT',
    ].filter(isPrivatePart),
  ).toHaveLength(4);
});
