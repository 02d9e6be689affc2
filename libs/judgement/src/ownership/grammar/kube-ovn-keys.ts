import { isIP } from 'node:net';
import type { NbRow } from './row';
import { columnList, mapOf } from './row';

const keys = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/**
 * The tag Kube-OVN puts on what it makes: on switches, routers and ports always, on the rest since
 * 1.15, on NAT never.
 */
export const VENDOR = 'kube-ovn';

/**
 * Every key Kube-OVN writes into `external_ids`, by table (pkg/ovs, pkg/controller, 1.13 to 1.17).
 * Any other key is a co-owner's.
 */
const KEYS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Logical_Switch', keys('vendor')],
  [
    'Logical_Switch_Port',
    keys('vendor ls pod security_groups vips attach-vips ipv4_network ipv6_network'),
  ],
  ['Logical_Router', keys('vendor')],
  ['Logical_Router_Port', keys('vendor lr')],
  ['Logical_Router_Static_Route', keys('vendor')],
  [
    'Logical_Router_Policy',
    keys(
      'vendor subnet node address-family isU2ORoutePolicy isU2OOverlayOnlyRoutePolicy isU2ONoLBRoutePolicy svcCidr isLocalDnsCache origin vpc-nat-gateway vpc-egress-gateway af',
    ),
  ],
  [
    'Port_Group',
    keys('vendor type sg np node subnet lr ls u2o anp banp cnp vpc-egress-gateway af'),
  ],
  [
    'Address_Set',
    keys(
      'vendor sg np anp banp cnp ippool subnet isU2ORoutePolicy isU2OOverlayCIDRs vpc vpc-egress-gateway af',
    ),
  ],
  ['ACL', keys('vendor parent subnet')],
  ['Load_Balancer', keys('vendor')],
  ['Load_Balancer_Health_Check', keys('switch_lb_subnet')],
  ['DHCP_Options', keys('vendor ls protocol port')],
  ['HA_Chassis_Group', keys('vendor lrp')],
  ['HA_Chassis', keys('vendor group')],
  ['Gateway_Chassis', keys('lrp')],
  ['BFD', keys('vendor vpc-egress-gateway vpc-nat-gateway af gateway_chassis')],
  ['Meter', keys('vendor')],
  ['Meter_Band', keys('vendor')],
]);

/** A DNS-1123 subdomain, the form of node and security-group names. */
const DNS_NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
/**
 * Of a new port with the blanks of the pod's annotation, or with nothing after a comma at its end
 * (`buildLogicalSwitchPort` in pkg/ovs/ovn-nb-logical_switch_port.go, v1.12 to v1.17).
 */
const ASSOCIATED_GROUP = /^associated_sg_ *(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?)? *$/;
const LOCAL_VIP = 'kube-ovn.io/local-external-vip/';

/**
 * The priority of policies that send a subnet to its gateways; with several gateways each is a key
 * named after its node.
 */
const GATEWAY_POLICY = 29000;

/** Keys whose name Kube-OVN makes up from an object's name, recognised by form. */
const DYNAMIC: ReadonlyMap<string, (key: string, value: unknown, row: NbRow) => boolean> = new Map([
  [
    'Logical_Switch_Port',
    (key: string, value: unknown) =>
      (value === 'true' || value === 'false') && ASSOCIATED_GROUP.test(key),
  ],
  [
    'Load_Balancer',
    (key: string, value: unknown) =>
      typeof value === 'string' && value.startsWith('node-') && key.startsWith(LOCAL_VIP),
  ],
  ['Logical_Router_Policy', isGatewayNode],
]);

function isGatewayNode(key: string, value: unknown, row: NbRow): boolean {
  return (
    row.object['priority'] === GATEWAY_POLICY &&
    Object.hasOwn(mapOf(row, 'external_ids'), 'subnet') &&
    DNS_NAME.test(key) &&
    typeof value === 'string' &&
    isIP(value) !== 0 &&
    columnList(row, 'nexthops').includes(value)
  );
}

/**
 * Whether Kube-OVN writes this key on this row. Checks the key's name and form only, not whether
 * the row is Kube-OVN's.
 */
export function isKubeOvnKey(row: NbRow, key: string, value: unknown): boolean {
  return KEYS.get(row.kind)?.has(key) === true || DYNAMIC.get(row.kind)?.(key, value, row) === true;
}

/** Node names used as keys of a gateway policy; each is believed only while such a Node exists. */
export function gatewayNodes(row: NbRow): readonly string[] {
  if (row.kind !== 'Logical_Router_Policy') return [];
  const known = KEYS.get('Logical_Router_Policy')!;
  return Object.keys(mapOf(row, 'external_ids')).filter((key) => !known.has(key));
}
