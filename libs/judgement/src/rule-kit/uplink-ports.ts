import { uplinkPortOf } from '../ownership/grammar/names';
import type { Entity } from '../world/entity';
import type { View } from './view';

/**
 * Every port with the name of the Subnet's uplink, whatever its type and its keys say. That there
 * is none proves nothing.
 */
export const uplinkPorts = (
  subnet: string,
  view: View<'Logical_Switch_Port'>,
): readonly Entity<'Logical_Switch_Port'>[] =>
  view.named('Logical_Switch_Port', uplinkPortOf(subnet));
