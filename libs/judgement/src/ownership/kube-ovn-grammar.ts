import { addressSet } from './grammar/address-set';
import type { RowClaim } from './grammar/claim';
import { loadBalancer } from './grammar/load-balancer';
import { logicalSwitchPort } from './grammar/logical-switch-port';
import {
  acl,
  bfd,
  dhcpOptions,
  haChassisGroup,
  logicalRouter,
  logicalRouterPort,
  logicalSwitch,
  meter,
  staticRoute,
} from './grammar/others';
import { portGroup } from './grammar/port-group';
import { routerPolicy } from './grammar/router-policy';
import type { NbRow } from './grammar/row';
import type { StringMap } from '../world/ovn-rows';

/**
 * The tables in which Kube-OVN tags its rows, each with the form of a tagged row of its own. NAT is
 * not here: it gets no key at all, so Kube-OVN did not write a tagged NAT. Parts of other rows are
 * not here either: they go by their holder.
 */
export const GRAMMAR: ReadonlyMap<string, (row: NbRow, ids: StringMap) => RowClaim> = new Map<
  string,
  (row: NbRow, ids: StringMap) => RowClaim
>([
  ['Logical_Switch', logicalSwitch],
  ['Logical_Switch_Port', logicalSwitchPort],
  ['Logical_Router', logicalRouter],
  ['Logical_Router_Port', logicalRouterPort],
  ['Logical_Router_Static_Route', staticRoute],
  ['Logical_Router_Policy', routerPolicy],
  ['Port_Group', portGroup],
  ['Address_Set', addressSet],
  ['ACL', acl],
  ['Load_Balancer', loadBalancer],
  ['DHCP_Options', dhcpOptions],
  ['HA_Chassis_Group', haChassisGroup],
  ['BFD', bfd],
  ['Meter', meter],
]);
