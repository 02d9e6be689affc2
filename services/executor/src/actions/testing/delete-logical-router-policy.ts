import { operation } from '@ovn-steward/ovsdb';
import { GROUND, into, keys, plantedRow } from '../../testing/plants';

const { set } = operation;

export const plant = plantedRow(
  'Logical_Router_Policy',
  '',
  {
    priority: 29000,
    match: 'ip4.src == 10.96.0.0/24',
    action: 'reroute',
    nexthops: set(['100.64.0.4', '100.64.0.5']),
    external_ids: keys(['subnet', 'gone']),
  },
  [into('Logical_Router', GROUND.router, 'policies')],
);
