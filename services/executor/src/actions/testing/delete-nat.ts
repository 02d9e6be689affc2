import { operation } from '@ovn-steward/ovsdb';
import { GROUND, into, plantedRow } from '../../testing/plants';

const { map } = operation;

export const plant = plantedRow(
  'NAT',
  '',
  {
    type: 'dnat_and_snat',
    external_ip: '198.51.100.77',
    logical_ip: '10.99.0.77',
    options: map([['stateless', 'false']]),
  },
  [into('Logical_Router', GROUND.router, 'nat')],
);
