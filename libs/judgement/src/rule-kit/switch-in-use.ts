import { portsBySwitch } from '../relations/ports-by-switch';
import { switchesByName } from '../relations/switches-by-name';
import { uplinkPorts } from './uplink-ports';
import type { View } from './view';

/**
 * Whether there is a switch of the Subnet's name with ports that may be in use, or with an uplink,
 * behind which there may be anybody. Where the Subnet was deleted by force, its pods run on until
 * the controller removes the switch, with its deletion or at a start (`gcLogicalSwitch`,
 * pkg/controller/gc.go, v1.12 to v1.17); until then they need the policies, groups and sets that
 * were made for the Subnet.
 */
export const switchInUse = (
  subnet: string,
  view: View<'Logical_Switch' | 'Logical_Switch_Port'>,
): boolean => {
  const switches = view.related(switchesByName, subnet);
  return (
    switches.some(({ uid }) => view.has(portsBySwitch, uid)) ||
    (switches.length > 0 && uplinkPorts(subnet, view).length > 0)
  );
};
