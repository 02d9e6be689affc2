import { GROUND, plantedEntry } from '../../testing/plants';

export const plant = plantedEntry(
  'Port_Group',
  GROUND.group,
  'ovn.sg.living',
  'ports',
  GROUND.neighbour,
);
