import { operation } from '@ovn-steward/ovsdb';
import { keys, plantedRow, rowId } from '../../testing/plants';

const { insert, set, uuid } = operation;

export const plant = plantedRow(
  'HA_Chassis_Group',
  'bfd@gone-vpc',
  {
    name: 'bfd@gone-vpc',
    ha_chassis: set([uuid(rowId(120)), uuid(rowId(121))]),
    external_ids: keys(['lrp', 'bfd@gone-vpc']),
  },
  [
    insert('HA_Chassis', { chassis_name: 'c1', priority: 2 }, rowId(120)),
    insert('HA_Chassis', { chassis_name: 'c2', priority: 1 }, rowId(121)),
  ],
  [`HA_Chassis ${rowId(120)}`, `HA_Chassis ${rowId(121)}`],
);
