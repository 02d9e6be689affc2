import { portsBySwitch } from '../relations/ports-by-switch';
import { switchesByName } from '../relations/switches-by-name';
import type { View } from './view';

/**
 * Whether there is a switch of the Subnet's name with ports that may be in use. Where the Subnet was
 * deleted by force, its pods run on until the controller removes the switch, with its deletion or at
 * a start (`gcLogicalSwitch`, pkg/controller/gc.go, v1.12 to v1.17); until then they need the
 * policies, groups and sets that were made for the Subnet.
 */
export const switchInUse = (
  subnet: string,
  view: View<'Logical_Switch' | 'Logical_Switch_Port'>,
): boolean => view.related(switchesByName, subnet).some(({ uid }) => view.has(portsBySwitch, uid));
