import { isIP } from 'node:net';
import type { NbRow } from './row';
import type { StringMap } from '../../world/ovn-rows';
import { columnText, valueOf } from './row';
import type { RowClaim } from './claim';
import { agrees, contradicts, plausible } from './claim';

const TAGGED = agrees('tagged vendor=kube-ovn with no key of anybody else');
const TRANSIT = plausible("a name starting with ts is a transit switch's");
const GATEWAY_SWITCH = plausible(
  'the external gateway switch, which is made from a ConfigMap and has no Subnet',
);

/** util.ExternalGatewaySwitch of Kube-OVN. */
const EXTERNAL = 'ovn-external';

export function logicalSwitch(row: NbRow, _ids: StringMap): RowClaim {
  if (row.name === EXTERNAL) return GATEWAY_SWITCH;
  return row.name.startsWith('ts') ? TRANSIT : TAGGED;
}

export const logicalRouter = (): RowClaim => TAGGED;
export const staticRoute = (): RowClaim => TAGGED;

const ROUTER_PORT = agrees('named after its router and what it leads to');
const BFD_PORT = agrees("named as its router's BFD port");
const GATEWAY_PORT = plausible(
  'leads to the external gateway switch, which is made from a ConfigMap and has no Subnet',
);
const OTHER_PORT = plausible(
  "not named after its router: an interconnection port or somebody else's",
);
const PEER = contradicts('its peer is not the other half of the pair its name says');

export function logicalRouterPort(row: NbRow, ids: StringMap): RowClaim {
  const lr = valueOf(ids, 'lr');
  if (lr === '') return OTHER_PORT;
  if (row.name === `bfd@${lr}`) return BFD_PORT;
  if (!row.name.startsWith(`${lr}-`)) return OTHER_PORT;
  if (row.name === `${lr}-${EXTERNAL}`) return GATEWAY_PORT;
  const peer = columnText(row, 'peer');
  return peer === '' || peer === `${row.name.slice(lr.length + 1)}-${lr}` ? ROUTER_PORT : PEER;
}

const ACL = agrees('tagged, and its parent key names a holder');
const ACL_NO_PARENT = contradicts(
  'tagged vendor=kube-ovn but without the parent key every ACL of Kube-OVN has',
);
const ACL_SUBNET = contradicts('its subnet key is not its parent');

export function acl(_row: NbRow, ids: StringMap): RowClaim {
  const parent = valueOf(ids, 'parent');
  if (parent === '') return ACL_NO_PARENT;
  return Object.hasOwn(ids, 'subnet') && ids['subnet'] !== parent ? ACL_SUBNET : ACL;
}

const DHCP = agrees('its protocol key is the family of its cidr, and it names its switch');
const DHCP_DISAGREES = contradicts(
  'its protocol key is not the family of its cidr, or it names no switch',
);

export function dhcpOptions(row: NbRow, ids: StringMap): RowClaim {
  const family = isIP(columnText(row, 'cidr').split('/')[0]!);
  return valueOf(ids, 'ls') !== '' && family !== 0 && valueOf(ids, 'protocol') === `IPv${family}`
    ? DHCP
    : DHCP_DISAGREES;
}

const GROUP = agrees('named after the BFD port it serves');
const GROUP_DISAGREES = contradicts('its lrp key is not its name');

export function haChassisGroup(row: NbRow, ids: StringMap): RowClaim {
  return row.name.startsWith('bfd@') && valueOf(ids, 'lrp') === row.name ? GROUP : GROUP_DISAGREES;
}

const BFD = agrees('a session of a gateway, with the address family its key says');
const BFD_DISAGREES = contradicts(
  'tagged, but without the key of a gateway or of another address family than its key says',
);

export function bfd(row: NbRow, ids: StringMap): RowClaim {
  const gateway = valueOf(ids, 'vpc-egress-gateway') || valueOf(ids, 'vpc-nat-gateway');
  const agreed =
    gateway !== '' &&
    String(isIP(columnText(row, 'dst_ip'))) === valueOf(ids, 'af') &&
    columnText(row, 'logical_port').startsWith('bfd@');
  return agreed ? BFD : BFD_DISAGREES;
}

const METER = agrees('named as the meter of a port group');
const METER_DISAGREES = contradicts('not named as the meter of a port group');

export function meter(row: NbRow, _ids: StringMap): RowClaim {
  return /^.+_(to|from)-lport_meter$/s.test(row.name) ? METER : METER_DISAGREES;
}
