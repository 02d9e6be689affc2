import { foreignKeys, isMovedMac } from './foreign-keys';
import type { NbRow } from './grammar/row';

const row = (external_ids: object, kind = 'Logical_Switch_Port'): NbRow => ({
  kind,
  uid: 'u',
  name: '',
  object: { external_ids },
});

test.each([
  ['octavia:network', 'octavia'],
  ['listener_7', 'octavia'],
  ['pool_7', 'octavia'],
  ['member_7', 'octavia'],
  ['neutron:vip', 'octavia'],
  ['ls_refs', 'octavia'],
  ['lr_ref', 'octavia'],
  ['neutron:security_group_id', 'neutron'],
  ['neutron-bgp-x', 'neutron'],
  ['neutron_bgpvpn:x', 'neutron'],
  ['k8s.ovn.org/owner', 'ovn-k8s'],
  ['k8s-cluster-router', 'ovn-k8s'],
  ['physical_ip', 'ovn-k8s'],
  ['physical_ips', 'ovn-k8s'],
  ['ic-node', 'ovn-k8s'],
  ['EgressSVC', 'ovn-k8s'],
  ['incus_location', 'incus-lxd'],
  ['lxd_location', 'incus-lxd'],
  ['incus-managed', 'incus-lxd'],
  ['ovirt_device_id', 'ovirt'],
  ['microovn-bgp-managed', 'microovn'],
  ['submariner', 'submariner'],
  ['interconn-ts', 'ovn-ic'],
  ['ic-learned-route', 'ovn-ic'],
  ['ic-learnt', 'ovn-ic'],
])('the key %s is of %s, also beside the tag of Kube-OVN', (key, owner) => {
  expect(foreignKeys(row({ [key]: 'x' }))?.owner).toBe(owner);
  expect(foreignKeys(row({ [key]: 'x', vendor: 'kube-ovn' }))?.owner).toBe(owner);
});

test.each<[string, object, string, string | undefined]>([
  ['subnet_id', { subnet_id: 'x' }, 'DHCP_Options', 'neutron'],
  ['subnet_id elsewhere', { subnet_id: 'x' }, 'ACL', undefined],
  ['ls_name', { ls_name: 'x' }, 'DNS', 'neutron'],
  ['ls_name elsewhere', { ls_name: 'x' }, 'ACL', undefined],
  ['vni and vlan', { vni: '1', vlan: '2' }, 'Logical_Router_Port', 'neutron'],
  ['vni alone', { vni: '1' }, 'Logical_Router_Port', undefined],
  ['pod=true with a namespace', { pod: 'true', namespace: 'a' }, 'Logical_Switch_Port', 'ovn-k8s'],
  ['pod=true alone', { pod: 'true' }, 'Logical_Switch_Port', undefined],
  ["a pod's name with a namespace", { pod: 'a/b', namespace: 'a' }, 'ACL', undefined],
  ['name=hybrid-subnet-…', { name: 'hybrid-subnet-x' }, 'ACL', 'ovn-k8s'],
  [
    'gateway_router and ip_version',
    { gateway_router: 'x', ip_version: '4' },
    'Logical_Switch',
    'ovirt',
  ],
  ['ip_version alone', { ip_version: '4' }, 'Logical_Switch', undefined],
  ['a key nobody is known for', { somebody: 'x' }, 'ACL', undefined],
])('%s', (_, ids, table, owner) => expect(foreignKeys(row(ids, table))?.owner).toBe(owner));

test('keys of two writers are shared; those of Octavia beside those of Neutron are of Octavia', () => {
  expect(foreignKeys(row({ 'k8s.ovn.org/x': '', ovirt_x: '' }))?.owner).toBe('shared');
  expect(foreignKeys(row({ 'octavia:x': '', 'neutron:x': '' }))?.owner).toBe('octavia');
});

test("a name for people beside Kube-OVN's tag does not make the row Neutron's", () => {
  expect(foreignKeys(row({ 'neutron:port_name': 'x', vendor: 'kube-ovn' }))?.owner).toBe('shared');
  expect(foreignKeys(row({ 'neutron:port_name': 'x' }))?.owner).toBe('neutron');
});

test('the address that Neutron moved says nothing of a NAT, where it stands alone', () => {
  const moved = { 'neutron:fip_external_mac': '00:00:00:00:00:01' };
  expect([
    isMovedMac(row(moved, 'NAT')),
    isMovedMac(row({ ...moved, 'neutron:router_name': 'x' }, 'NAT')),
    isMovedMac(row(moved, 'ACL')),
    isMovedMac(row({}, 'NAT')),
  ]).toEqual([true, false, false, false]);
});
