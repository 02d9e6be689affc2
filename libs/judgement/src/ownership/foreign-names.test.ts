import { foreignNameOwner } from './foreign-names';

const U = '8f3a1c2e-0b5d-4e6f-9a7b-1c2d3e4f5a6b';
const U_ = U.replaceAll('-', '_');

it.each([
  ['Logical_Switch', 'neutron', [`neutron-${U}`, 'bgp-ls-a-b', 'evpn-ls-12', 'a-provnet-b']],
  ['Logical_Switch', 'ovn-k8s', ['ovn_layer2_switch', 'ext_node1', 'transit_switch']],
  ['Logical_Router', 'ovn-k8s', ['ovn_cluster_router', 'GR_node1', 'connect_router_x']],
  ['Logical_Router', 'microovn', ['lr-host-microovn']],
  ['Logical_Router', 'neutron', ['bgp-lr-main']],
  ['Logical_Switch', 'incus-lxd', ['incus-net1-ls-int', 'lxd-net2-ls-ext']],
  ['Logical_Switch', 'ovirt', [`ovirt-net-${U}`]],
  ['Logical_Switch_Port', 'neutron', [U, `provnet-${U}`, 'bgp-lsp-a-to-b', 'evpn-lsp-x']],
  [
    'Logical_Router_Port',
    'neutron',
    [`lrp-${U}`, 'bgp-lrp-a', 'bgp-lr-main-dead-lrp', 'evpn-lrp-x'],
  ],
  ['Logical_Router_Port', 'ovirt', [`lrp${U}`]],
  ['Port_Group', 'neutron', ['neutron_pg_drop', 'pvlan_pg_drop', `pg_${U_}`]],
  ['Port_Group', 'ovirt', ['Default', 'DropAll', `ovirt_${U_}`]],
  ['Port_Group', 'incus-lxd', ['incus_acl3_all', 'lxd_net2']],
  ['Port_Group', 'ovn-k8s', ['a9988776655443322110', 'clusterPortGroup']],
  ['Address_Set', 'neutron', [`ag_${U_}_ip4`, `as_ip6_${U_}`]],
  ['Address_Set', 'incus-lxd', ['incus_set1_ip4', 'lxd_net2_routes_ip6']],
  ['Address_Set', 'ovn-k8s', ['a13730899355151937870', 'a13730899355151937870_v4']],
  ['Load_Balancer', 'octavia', [U]],
  ['Load_Balancer', 'neutron', [`pf-floatingip-${U}-tcp`]],
  ['Load_Balancer', 'ovn-k8s', ['Service_default/kubernetes_TCP_cluster']],
  ['Load_Balancer', 'incus-lxd', ['incus-net1-lb-192.0.2.1-tcp']],
  ['ACL', 'neutron', [`neutron-${U}`]],
  [
    'HA_Chassis_Group',
    'neutron',
    ['default_ha_chassis_group', `neutron-extport-${U}`, 'bgp-hcg-x'],
  ],
  ['Meter', 'neutron', ['acl_log_meter_stateless']],
  ['Meter', 'ovn-k8s', ['acl-logging', 'arp-rate-limiter']],
  ['Mirror', 'neutron', ['tm_in_0a1b2c']],
  ['Gateway_Chassis', 'neutron', [`lrp-${U}_chassis`]],
] as const)('of %s, %s gives such names', (table, owner, names) =>
  expect(names.map((it) => foreignNameOwner(table, it))).toEqual(names.map(() => owner)),
);

it.each([
  ['Logical_Switch_Port', `x${U}`],
  ['Logical_Switch_Port', U.toUpperCase()],
  ['Logical_Switch_Port', 'web-0.ns1'],
  ['Logical_Router_Port', 'lrp-node1-eth1'],
  ['Logical_Switch', 'join'],
  ['Logical_Switch', 'ovn-default'],
  ['Port_Group', `pg_${U}`],
  ['Port_Group', 'a1.ns'],
  ['Port_Group', 'ovn.sg.Default'],
  ['Address_Set', 'VEG.3317aa3ff337_ip4'],
  ['Load_Balancer', `${U}\nx`],
  ['BFD', ''],
  ['constructor', 'x'],
])("%s %s is nobody's form", (table, name) =>
  expect(foreignNameOwner(table, name)).toBeUndefined(),
);
