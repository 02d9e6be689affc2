import { operation } from '@ovn-steward/ovsdb';
import { keys, plantedRow } from '../../testing/plants';

const { set } = operation;

export const plant = plantedRow(
  'Address_Set',
  'pool.gone',
  {
    name: 'pool.gone',
    addresses: set(['10.99.0.20', '10.99.0.21']),
    external_ids: keys(['ippool', 'pool-gone']),
  },
  [],
);
