import type { PlainRow } from './northbound';

type Columns = Readonly<Record<string, unknown>>;

/** A row whose uid is its name, so that tests can say who holds whom. */
const named =
  (table: string) =>
  (name: string, columns: Columns = {}): PlainRow => ({
    table,
    uid: name,
    columns: { name, ...columns },
  });
const nameless =
  (table: string) =>
  (uid: string, columns: Columns = {}): PlainRow => ({ table, uid, columns });

export const logicalSwitch = named('Logical_Switch');
export const port = named('Logical_Switch_Port');
export const router = named('Logical_Router');
export const routerPort = named('Logical_Router_Port');
export const portGroup = named('Port_Group');
export const addressSet = named('Address_Set');
export const loadBalancer = named('Load_Balancer');
export const chassisGroup = named('HA_Chassis_Group');
export const meter = named('Meter');
export const acl = nameless('ACL');
export const nat = nameless('NAT');
export const route = nameless('Logical_Router_Static_Route');
export const policy = nameless('Logical_Router_Policy');
export const dhcp = nameless('DHCP_Options');
export const bfd = nameless('BFD');
const healthCheck = nameless('Load_Balancer_Health_Check');
export const rowOf = (table: string, uid: string, columns: Columns = {}): PlainRow =>
  nameless(table)(uid, columns);

/** `external_ids` of Kube-OVN's: the tag and these keys. */
export const ours = (ids: Readonly<Record<string, string>> = {}): Columns => ({
  external_ids: { vendor: 'kube-ovn', ...ids },
});
export const keys = (ids: Readonly<Record<string, string>>): Columns => ({ external_ids: ids });

/**
 * One of everything Kube-OVN makes, all of it proven its own: with nobody else in the database,
 * each is a candidate.
 */
export const KUBE_OVN_ROWS: readonly PlainRow[] = [
  logicalSwitch('apps', {
    ...ours(),
    ports: [
      'web-0.ns1',
      'web-0.ns1.data.ns1.ovn',
      'node-worker-1',
      'apps-vip-10.0.0.9',
      'apps-vpc1',
    ],
    acls: ['apps-acl'],
    load_balancer: ['vpc-vpc1-tcp-load'],
  }),
  port('web-0.ns1', {
    ...ours({ ls: 'apps', pod: 'ns1/web-0', 'associated_sg_default-securitygroup': 'false' }),
    dhcpv4_options: ['dhcp'],
  }),
  port(
    'web-0.ns1.data.ns1.ovn',
    ours({
      ls: 'apps',
      pod: 'ns1/web-0',
      security_groups: 'db/ cache',
      associated_sg_db: 'true',
      'associated_sg_ cache': 'true',
    }),
  ),
  port('node-worker-1', ours({ ls: 'apps' })),
  port('apps-vip-10.0.0.9', {
    ...ours({ ls: 'apps' }),
    type: 'virtual',
    options: { 'virtual-ip': '10.0.0.9', 'virtual-parents': 'web-0.ns1' },
  }),
  port('apps-vpc1', {
    ...ours({ ls: 'apps' }),
    type: 'router',
    options: { 'router-port': 'vpc1-apps' },
  }),
  acl('apps-acl', {
    ...ours({ parent: 'apps', subnet: 'apps' }),
    match: 'ip4.src == 10.99.0.0/16',
  }),
  router('vpc1', {
    ...ours(),
    ports: ['vpc1-apps', 'bfd@vpc1'],
    static_routes: ['route'],
    policies: ['to-subnet', 'from-node', 'to-node'],
    load_balancer: ['dnat'],
  }),
  routerPort('vpc1-apps', ours({ lr: 'vpc1' })),
  routerPort('bfd@vpc1', { ...ours({ lr: 'vpc1' }), ha_chassis_group: ['bfd@vpc1 group'] }),
  {
    ...chassisGroup('bfd@vpc1', { ...ours({ lrp: 'bfd@vpc1' }), ha_chassis: ['chassis'] }),
    uid: 'bfd@vpc1 group',
  },
  rowOf('HA_Chassis', 'chassis', { ...ours({ group: 'bfd@vpc1' }), chassis_name: 'c1' }),
  route('route', { ...ours(), ip_prefix: '10.0.0.0/24', nexthop: '10.0.0.1', policy: 'src-ip' }),
  policy('to-subnet', {
    ...ours({ subnet: 'apps' }),
    priority: 31000,
    match: 'ip4.dst == 10.0.0.0/24',
  }),
  policy('from-node', {
    ...ours({ subnet: 'apps', node: 'worker-1' }),
    priority: 29000,
    match: 'ip4.src == $apps.worker.1_ip4',
  }),
  policy('to-node', {
    ...ours({ node: 'worker-1', 'address-family': '4' }),
    priority: 30000,
    match: 'ip4.dst == 192.168.0.1',
  }),
  portGroup('deny.ns1', { ...ours({ np: 'ns1/deny' }), acls: ['deny-acl'], ports: ['web-0.ns1'] }),
  acl('deny-acl', {
    ...ours({ parent: 'deny.ns1' }),
    match: 'outport == @deny.ns1 && ip4.src == $deny.ns1.ingress.allow.IPv4.all',
    meter: ['deny.ns1_to-lport_meter'],
  }),
  addressSet('deny.ns1.ingress.allow.IPv4.all', ours({ np: 'ns1/deny/ingress' })),
  meter('deny.ns1_to-lport_meter', { ...ours(), bands: ['band'] }),
  rowOf('Meter_Band', 'band', { ...ours(), rate: 3 }),
  portGroup('apps.worker.1', {
    ...ours({ subnet: 'apps', node: 'worker-1', np: 'apps/worker-1' }),
    ports: ['web-0.ns1'],
  }),
  loadBalancer('vpc-vpc1-tcp-load', {
    ...ours(),
    protocol: ['tcp'],
    options: { prefer_local_backend: 'false' },
    health_check: ['check'],
    ip_port_mappings: { '10.0.0.2': 'web-0.ns1:10.0.0.6' },
  }),
  healthCheck('check', keys({ switch_lb_subnet: 'apps' })),
  loadBalancer('dnat', { ...ours(), protocol: ['tcp'] }),
  dhcp('dhcp', { ...ours({ ls: 'apps', protocol: 'IPv4' }), cidr: '10.0.0.0/24' }),
  bfd('bfd', {
    ...ours({ 'vpc-egress-gateway': 'ns1/gw', af: '4' }),
    logical_port: 'bfd@vpc1',
    dst_ip: '10.0.0.7',
  }),
];

/** Kube-OVN's, but never removed by themselves: they go with what holds them. */
export const PARTS: readonly string[] = ['apps-vpc1', 'chassis', 'band'];
