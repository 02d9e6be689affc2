import { operation, type JsonRow, type Operation } from '@ovn-steward/ovsdb';
import type { Reference } from '@ovn-steward/contracts/identity/reference';

const { insert, map, mutate, set, uuid } = operation;

/** A row of Kube-OVN's for an action to act on, and what is around it. */
export interface Plant {
  readonly operations: readonly Operation[];
  readonly target: Reference;
  /** `<table> <uuid>` of every row that is to go; none for an entry. */
  readonly goes: readonly string[];
}

const id = (nth: number): string => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
const VENDOR = ['vendor', 'kube-ovn'] as const;
const keys = (...pairs: readonly (readonly [string, string])[]): NonNullable<JsonRow[string]> =>
  map([VENDOR, ...pairs]);

/** Rows that every plant stands on. */
export const GROUND = {
  switch: id(1),
  router: id(2),
  neighbour: id(3),
  group: id(4),
  balancer: id(5),
  port: id(6),
  gatewayPort: id(7),
} as const;

/**
 * A switch and a router of Kube-OVN's with a port each, a security group and a balancer that both
 * have.
 */
export const ground: readonly Operation[] = [
  insert(
    'Logical_Switch',
    {
      name: 'planted-net',
      external_ids: keys(),
      ports: set([uuid(GROUND.neighbour)]),
      load_balancer: uuid(GROUND.balancer),
    },
    GROUND.switch,
  ),
  insert(
    'Logical_Switch_Port',
    {
      name: 'neighbour-0.planted',
      addresses: '0a:58:00:00:00:02 10.99.0.2',
      up: true,
      external_ids: keys(['ls', 'planted-net'], ['pod', 'planted/neighbour-0']),
    },
    GROUND.neighbour,
  ),
  insert(
    'Logical_Router',
    {
      name: 'planted-vpc',
      external_ids: keys(),
      ports: uuid(GROUND.gatewayPort),
      load_balancer: uuid(GROUND.balancer),
    },
    GROUND.router,
  ),
  insert(
    'Logical_Router_Port',
    {
      name: 'planted-vpc-living',
      mac: '0a:58:00:00:01:01',
      networks: '10.98.0.1/24',
      external_ids: keys(['lr', 'planted-vpc']),
    },
    GROUND.gatewayPort,
  ),
  insert(
    'Port_Group',
    {
      name: 'ovn.sg.living',
      ports: uuid(GROUND.neighbour),
      external_ids: keys(['type', 'security_group'], ['sg', 'living']),
    },
    GROUND.group,
  ),
  insert(
    'Load_Balancer',
    {
      name: 'vpc-planted-vpc-tcp-load',
      protocol: 'tcp',
      options: map([['prefer_local_backend', 'false']]),
      external_ids: keys(),
      vips: map([
        ['10.97.0.1:80', '10.99.0.2:8080'],
        ['10.97.0.2:80', '10.99.0.2:8081'],
      ]),
      ip_port_mappings: map([
        ['10.99.0.2', 'neighbour-0.planted:10.99.0.254'],
        ['10.99.0.9', 'gone-0.planted:10.99.0.254'],
      ]),
    },
    GROUND.balancer,
  ),
];

const TARGET = id(100);
const into = (table: string, holder: string, column: string, child = TARGET): Operation =>
  mutate(table, operation.byUuid(holder), [[column, 'insert', uuid(child)]]);

function plant(
  kind: string,
  name: string,
  row: JsonRow,
  around: readonly Operation[],
  alsoGoes: readonly string[] = [],
): Plant {
  return {
    operations: [insert(kind, row, TARGET), ...around],
    target: { source: 'ovn-nb', kind, name, uid: TARGET },
    goes: [`${kind} ${TARGET}`, ...alsoGoes],
  };
}

const entry = (
  kind: string,
  uid: string,
  name: string,
  column: string,
  key: string,
  around: readonly Operation[] = [],
): Plant => ({
  operations: around,
  target: { source: 'ovn-nb', kind, name, uid, part: { column, key } },
  goes: [],
});

const acl = (match: string, parent: string): JsonRow => ({
  direction: 'to-lport',
  priority: 2005,
  match,
  action: 'allow-related',
  tier: 2,
  external_ids: keys(['parent', parent]),
});

/** One for each action on Northbound rows, by the action's id. */
export const PLANTS: Readonly<Record<string, Plant>> = {
  'delete-logical-switch-port': plant(
    'Logical_Switch_Port',
    'web-0.planted',
    {
      name: 'web-0.planted',
      addresses: set(['0a:58:00:00:00:0a 10.99.0.10']),
      port_security: set(['0a:58:00:00:00:0a 10.99.0.10']),
      up: true,
      dhcpv4_options: uuid(id(110)),
      options: map([['requested-chassis', 'worker-1']]),
      external_ids: keys(['ls', 'planted-net'], ['pod', 'planted/web-0']),
    },
    [
      into('Logical_Switch', GROUND.switch, 'ports'),
      into('Port_Group', GROUND.group, 'ports'),
      insert(
        'DHCP_Options',
        { cidr: '10.99.0.0/24', external_ids: keys(['ls', 'planted-net'], ['protocol', 'IPv4']) },
        id(110),
      ),
    ],
  ),
  'delete-logical-router-port': plant(
    'Logical_Router_Port',
    'planted-vpc-gone',
    {
      name: 'planted-vpc-gone',
      mac: '0a:58:00:00:01:02',
      networks: set(['10.96.0.1/24', 'fd00:96::1/64']),
      gateway_chassis: uuid(id(111)),
      external_ids: keys(['lr', 'planted-vpc']),
      ipv6_prefix: 'fd00::/64',
    },
    [
      insert(
        'Gateway_Chassis',
        { name: 'planted-vpc-gone-c1', chassis_name: 'c1', priority: 100 },
        id(111),
      ),
      into('Logical_Router', GROUND.router, 'ports'),
    ],
    [`Gateway_Chassis ${id(111)}`],
  ),
  'delete-logical-switch': plant(
    'Logical_Switch',
    'planted-gone',
    {
      name: 'planted-gone',
      external_ids: keys(),
      ports: set([uuid(id(122)), uuid(id(123))]),
      acls: uuid(id(124)),
      load_balancer: uuid(GROUND.balancer),
      other_config: map([['subnet', '10.92.0.0/24']]),
    },
    [
      insert(
        'Logical_Switch_Port',
        {
          name: 'planted-gone-planted-vpc',
          type: 'router',
          addresses: 'router',
          options: map([['router-port', 'planted-vpc-planted-gone']]),
          external_ids: keys(['ls', 'planted-gone']),
        },
        id(122),
      ),
      insert(
        'Logical_Switch_Port',
        {
          name: 'localnet.planted-gone',
          type: 'localnet',
          addresses: 'unknown',
          options: map([['network_name', 'physical']]),
          external_ids: keys(['ls', 'planted-gone']),
        },
        id(123),
      ),
      insert('ACL', acl('ip4.src == 10.92.0.0/24', 'planted-gone'), id(124)),
    ],
    [`Logical_Switch_Port ${id(122)}`, `Logical_Switch_Port ${id(123)}`, `ACL ${id(124)}`],
  ),
  'delete-logical-router': plant(
    'Logical_Router',
    'planted-old',
    {
      name: 'planted-old',
      external_ids: keys(),
      ports: uuid(id(125)),
      policies: uuid(id(126)),
      static_routes: uuid(id(127)),
      load_balancer: uuid(GROUND.balancer),
      options: map([['mac_binding_age_threshold', '300']]),
    },
    [
      insert(
        'Logical_Router_Port',
        {
          name: 'planted-old-left',
          mac: '0a:58:00:00:01:05',
          networks: '10.91.0.1/24',
          external_ids: keys(['lr', 'planted-old']),
        },
        id(125),
      ),
      insert(
        'Logical_Router_Policy',
        {
          priority: 31000,
          match: 'ip4.dst == 10.91.0.0/24',
          action: 'allow',
          external_ids: keys(['subnet', 'left']),
        },
        id(126),
      ),
      insert(
        'Logical_Router_Static_Route',
        {
          ip_prefix: '0.0.0.0/0',
          nexthop: '10.91.0.254',
          output_port: 'planted-old-left',
          external_ids: keys(),
        },
        id(127),
      ),
    ],
    [
      `Logical_Router_Port ${id(125)}`,
      `Logical_Router_Policy ${id(126)}`,
      `Logical_Router_Static_Route ${id(127)}`,
    ],
  ),
  'delete-acl': plant('ACL', '', acl('outport == @ovn.sg.living && ip4', 'ovn.sg.living'), [
    into('Port_Group', GROUND.group, 'acls'),
  ]),
  'delete-nat': plant(
    'NAT',
    '',
    {
      type: 'dnat_and_snat',
      external_ip: '198.51.100.77',
      logical_ip: '10.99.0.77',
      options: map([['stateless', 'false']]),
    },
    [into('Logical_Router', GROUND.router, 'nat')],
  ),
  'delete-qos': plant(
    'QoS',
    '',
    { priority: 100, direction: 'from-lport', match: 'ip4', bandwidth: map([['rate', 1000]]) },
    [into('Logical_Switch', GROUND.switch, 'qos_rules')],
  ),
  'delete-logical-router-policy': plant(
    'Logical_Router_Policy',
    '',
    {
      priority: 29000,
      match: 'ip4.src == 10.96.0.0/24',
      action: 'reroute',
      nexthops: set(['100.64.0.4', '100.64.0.5']),
      external_ids: keys(['subnet', 'gone']),
    },
    [into('Logical_Router', GROUND.router, 'policies')],
  ),
  'delete-logical-router-static-route': plant(
    'Logical_Router_Static_Route',
    '',
    { ip_prefix: '10.96.0.0/24', nexthop: '10.98.0.2', policy: 'dst-ip', external_ids: keys() },
    [into('Logical_Router', GROUND.router, 'static_routes')],
  ),
  'delete-bfd': plant(
    'BFD',
    '',
    {
      logical_port: 'bfd@planted-vpc',
      dst_ip: '10.95.0.2',
      min_tx: 1000,
      status: 'up',
      external_ids: keys(['af', '4'], ['vpc-egress-gateway', 'planted/gone']),
    },
    [
      insert(
        'Logical_Router_Static_Route',
        {
          ip_prefix: '10.94.0.0/24',
          nexthop: '10.95.0.2',
          bfd: uuid(TARGET),
          external_ids: keys(),
        },
        id(112),
      ),
      into('Logical_Router', GROUND.router, 'static_routes', id(112)),
      insert(
        'Logical_Router_Policy',
        {
          priority: 29000,
          match: 'ip4.src == 10.94.0.0/24',
          action: 'reroute',
          bfd_sessions: uuid(TARGET),
          external_ids: keys(['subnet', 'gone']),
        },
        id(113),
      ),
      into('Logical_Router', GROUND.router, 'policies', id(113)),
    ],
  ),
  'delete-load-balancer-health-check': plant(
    'Load_Balancer_Health_Check',
    '',
    {
      vip: '10.97.0.1:80',
      options: map([['interval', '5']]),
      external_ids: map([['switch_lb_subnet', 'planted-net']]),
    },
    [into('Load_Balancer', GROUND.balancer, 'health_check')],
  ),
  'delete-load-balancer': plant(
    'Load_Balancer',
    'vpc-gone-udp-load',
    {
      name: 'vpc-gone-udp-load',
      protocol: 'udp',
      options: map([['prefer_local_backend', 'false']]),
      external_ids: keys(),
      vips: map([
        ['10.97.0.3:53', '10.99.0.2:53'],
        ['10.97.0.4:53', '10.99.0.2:54'],
      ]),
      health_check: uuid(id(114)),
    },
    [
      insert(
        'Load_Balancer_Health_Check',
        { vip: '10.97.0.3:53', external_ids: map([['switch_lb_subnet', 'planted-net']]) },
        id(114),
      ),
      into('Logical_Switch', GROUND.switch, 'load_balancer'),
      into('Logical_Router', GROUND.router, 'load_balancer'),
    ],
    [`Load_Balancer_Health_Check ${id(114)}`],
  ),
  'delete-port-group': plant(
    'Port_Group',
    'ovn.sg.gone',
    {
      name: 'ovn.sg.gone',
      ports: uuid(GROUND.neighbour),
      acls: set([uuid(id(115)), uuid(id(116)), uuid(id(117))]),
      external_ids: keys(['type', 'security_group'], ['sg', 'gone']),
    },
    [
      insert('ACL', acl('outport == @ovn.sg.gone && ip4', 'ovn.sg.gone'), id(115)),
      insert(
        'ACL',
        { ...acl('inport == @ovn.sg.gone && ip6', 'ovn.sg.gone'), direction: 'from-lport' },
        id(116),
      ),
      insert('ACL', acl('ip4.src == 10.93.0.0/24', 'ovn.sg.gone'), id(117)),
      into('Logical_Switch', GROUND.switch, 'acls', id(117)),
    ],
    [`ACL ${id(115)}`, `ACL ${id(116)}`],
  ),
  'delete-address-set': plant(
    'Address_Set',
    'pool.gone',
    {
      name: 'pool.gone',
      addresses: set(['10.99.0.20', '10.99.0.21']),
      external_ids: keys(['ippool', 'pool-gone']),
    },
    [],
  ),
  'delete-meter': plant(
    'Meter',
    'gone.ns_to-lport_meter',
    {
      name: 'gone.ns_to-lport_meter',
      unit: 'pktps',
      bands: set([uuid(id(118)), uuid(id(119))]),
      external_ids: keys(),
    },
    [
      insert('Meter_Band', { action: 'drop', rate: 10 }, id(118)),
      insert('Meter_Band', { action: 'drop', rate: 20, burst_size: 5 }, id(119)),
    ],
    [`Meter_Band ${id(118)}`, `Meter_Band ${id(119)}`],
  ),
  'delete-dhcp-options': plant(
    'DHCP_Options',
    '',
    {
      cidr: '10.96.0.0/24',
      options: map([
        ['lease_time', '3600'],
        ['mtu', '1400'],
      ]),
      external_ids: keys(['ls', 'gone'], ['protocol', 'IPv4']),
    },
    [into('Logical_Switch_Port', GROUND.neighbour, 'dhcpv4_options')],
  ),
  'delete-ha-chassis-group': plant(
    'HA_Chassis_Group',
    'bfd@gone-vpc',
    {
      name: 'bfd@gone-vpc',
      ha_chassis: set([uuid(id(120)), uuid(id(121))]),
      external_ids: keys(['lrp', 'bfd@gone-vpc']),
    },
    [
      insert('HA_Chassis', { chassis_name: 'c1', priority: 2 }, id(120)),
      insert('HA_Chassis', { chassis_name: 'c2', priority: 1 }, id(121)),
    ],
    [`HA_Chassis ${id(120)}`, `HA_Chassis ${id(121)}`],
  ),
  'remove-load-balancer-vip': entry(
    'Load_Balancer',
    GROUND.balancer,
    'vpc-planted-vpc-tcp-load',
    'vips',
    '10.97.0.1:80',
  ),
  'remove-ip-port-mapping': entry(
    'Load_Balancer',
    GROUND.balancer,
    'vpc-planted-vpc-tcp-load',
    'ip_port_mappings',
    '10.99.0.9',
  ),
  'remove-port-group-member': entry(
    'Port_Group',
    GROUND.group,
    'ovn.sg.living',
    'ports',
    GROUND.neighbour,
  ),
};

/** @throws Error for an action that has none: without a plant its contract has nothing to act on. */
export function plantOf(action: string): Plant {
  const found = PLANTS[action];
  if (found === undefined)
    throw new Error(`PLANTS (services/executor/src/testing/plants.ts) has nothing for ${action}`);
  return found;
}
