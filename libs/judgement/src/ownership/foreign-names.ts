import type { ForeignOwner } from './foreign-keys';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** The same with `_`, as in names of port groups and address sets. */
const UUID_ = UUID.replaceAll('-[', '_[');

type Form = readonly [owner: ForeignOwner, pattern: string];

const SWITCH_OR_ROUTER: readonly Form[] = [
  ['neutron', `neutron-${UUID}|.*provnet-.*|bgp-l[rs]-.*|evpn-ls-[0-9]+`],
  ['ovn-k8s', 'ovn_.*|GR_.*|ext_.*|transit_.*|connect_router_.*'],
  ['incus-lxd', '(incus|lxd)-net.*'],
  ['microovn', 'lr-.*-microovn'],
  ['ovirt', 'ovirt-.*'],
];

/** Names only one writer gives, by table. A match protects and never makes a candidate. */
const FORMS: Readonly<Record<string, readonly Form[]>> = {
  Logical_Switch: SWITCH_OR_ROUTER,
  Logical_Router: SWITCH_OR_ROUTER,
  Logical_Switch_Port: [
    ['neutron', `${UUID}|.*provnet-.*|bgp-lsp-.*|evpn-lsp-.*`],
    ['incus-lxd', '(incus|lxd)-net[0-9]+-.*'],
  ],
  Logical_Router_Port: [
    ['neutron', `lrp-${UUID}|.*provnet-.*|bgp-lrp-.*|bgp-lr-main-dead-lrp|evpn-lrp-.*`],
    ['ovirt', `lrp${UUID}`],
    ['incus-lxd', '(incus|lxd)-net[0-9]+-.*'],
  ],
  Port_Group: [
    ['neutron', `neutron_pg_drop|pvlan_.*|pg_${UUID_}`],
    ['ovirt', `ovirt_${UUID_}|Default|DropAll`],
    ['incus-lxd', 'incus_.*|lxd_.*'],
    ['ovn-k8s', 'a[0-9]{10,20}|clusterPortGroup|clusterRtrPortGroup'],
  ],
  Address_Set: [
    ['neutron', `ag_${UUID_}_ip[46]|as_ip[46]_${UUID_}`],
    ['incus-lxd', 'incus_set.*|lxd_set.*|.*_routes_ip[46]'],
    ['ovn-k8s', 'a[0-9]{10,20}(_v[46])?'],
  ],
  Load_Balancer: [
    ['octavia', UUID],
    ['neutron', 'pf-floatingip-.*'],
    ['ovn-k8s', 'Service_.*'],
    ['incus-lxd', '(incus|lxd)-net.*-lb-.*'],
  ],
  ACL: [['neutron', `neutron-${UUID}`]],
  HA_Chassis_Group: [
    [
      'neutron',
      `neutron-${UUID}|neutron-extport-${UUID}|default_ha_chassis_group|bgp-hcg-.*|evpn-hcg-.*`,
    ],
    ['incus-lxd', '(incus|lxd)-net.*'],
  ],
  Meter: [
    ['neutron', 'acl_log_meter.*'],
    ['ovn-k8s', 'acl-logging|.*-rate-limiter'],
  ],
  Mirror: [['neutron', 'tm_(in|out|both)_[0-9a-f]{6}']],
  Gateway_Chassis: [['neutron', `lrp-${UUID}_.*`]],
  // A BFD row has no name of its own; it is called by its logical_port.
  BFD: [['neutron', `lrp-${UUID}`]],
};

const compiled: ReadonlyMap<string, readonly (readonly [ForeignOwner, RegExp])[]> = new Map(
  Object.entries(FORMS).map(([table, forms]) => [
    table,
    forms.map(([owner, pattern]) => [owner, new RegExp(`^(?:${pattern})$`, 's')] as const),
  ]),
);

/** The writer that gives such names in this table; undefined when it is nobody's form. */
export function foreignNameOwner(table: string, name: string): ForeignOwner | undefined {
  if (name === '') return undefined;
  return compiled.get(table)?.find(([, pattern]) => pattern.test(name))?.[0];
}
