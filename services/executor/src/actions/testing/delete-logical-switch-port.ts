import { operation } from '@ovn-steward/ovsdb';
import { GROUND, into, keys, plantedRow, rowId } from '../../testing/plants';

const { insert, map, set, uuid } = operation;

export const plant = plantedRow(
  'Logical_Switch_Port',
  'web-0.planted',
  {
    name: 'web-0.planted',
    addresses: set(['0a:58:00:00:00:0a 10.99.0.10']),
    port_security: set(['0a:58:00:00:00:0a 10.99.0.10']),
    up: true,
    dhcpv4_options: uuid(rowId(110)),
    options: map([['requested-chassis', 'worker-1']]),
    external_ids: keys(['ls', 'planted-net'], ['pod', 'planted/web-0']),
  },
  [
    into('Logical_Switch', GROUND.switch, 'ports'),
    into('Port_Group', GROUND.group, 'ports'),
    insert(
      'DHCP_Options',
      { cidr: '10.99.0.0/24', external_ids: keys(['ls', 'planted-net'], ['protocol', 'IPv4']) },
      rowId(110),
    ),
  ],
);
