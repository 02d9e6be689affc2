import { operation } from '@ovn-steward/ovsdb';
import { acl, GROUND, keys, plantedRow, rowId } from '../../testing/plants';

const { insert, map, set, uuid } = operation;

export const plant = plantedRow(
  'Logical_Switch',
  'planted-gone',
  {
    name: 'planted-gone',
    external_ids: keys(),
    ports: set([uuid(rowId(122)), uuid(rowId(123))]),
    acls: uuid(rowId(124)),
    load_balancer: uuid(GROUND.balancer),
    other_config: map([['subnet', '10.92.0.0/24']]),
  },
  [
    insert(
      'Logical_Switch_Port',
      {
        name: 'planted-gone-planted-vpc',
        type: 'router',
        addresses: 'router',
        options: map([['router-port', 'planted-vpc-planted-gone']]),
        external_ids: keys(['ls', 'planted-gone']),
      },
      rowId(122),
    ),
    insert(
      'Logical_Switch_Port',
      {
        name: 'localnet.planted-gone',
        type: 'localnet',
        addresses: 'unknown',
        options: map([['network_name', 'physical']]),
        external_ids: keys(['ls', 'planted-gone']),
      },
      rowId(123),
    ),
    insert('ACL', acl('ip4.src == 10.92.0.0/24', 'planted-gone'), rowId(124)),
  ],
  [`Logical_Switch_Port ${rowId(122)}`, `Logical_Switch_Port ${rowId(123)}`, `ACL ${rowId(124)}`],
);
