import { operation } from '@ovn-steward/ovsdb';
import { GROUND, into, keys, plantedRow } from '../../testing/plants';

const { map } = operation;

export const plant = plantedRow(
  'DHCP_Options',
  '',
  {
    cidr: '10.96.0.0/24',
    options: map([
      ['lease_time', '3600'],
      ['mtu', '1400'],
    ]),
    external_ids: keys(['ls', 'gone'], ['protocol', 'IPv4']),
  },
  [into('Logical_Switch_Port', GROUND.neighbour, 'dhcpv4_options')],
);
