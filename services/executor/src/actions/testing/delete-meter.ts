import { operation } from '@ovn-steward/ovsdb';
import { keys, plantedRow, rowId } from '../../testing/plants';

const { insert, set, uuid } = operation;

export const plant = plantedRow(
  'Meter',
  'gone.ns_to-lport_meter',
  {
    name: 'gone.ns_to-lport_meter',
    unit: 'pktps',
    bands: set([uuid(rowId(118)), uuid(rowId(119))]),
    external_ids: keys(),
  },
  [
    insert('Meter_Band', { action: 'drop', rate: 10 }, rowId(118)),
    insert('Meter_Band', { action: 'drop', rate: 20, burst_size: 5 }, rowId(119)),
  ],
  [`Meter_Band ${rowId(118)}`, `Meter_Band ${rowId(119)}`],
);
