import { operation } from '@ovn-steward/ovsdb';
import { type Plant, GROUND, into, keys, plantedRow, rowId } from '../../testing/plants';

const { insert, set, uuid } = operation;

export const plant: Plant = {
  ...plantedRow(
    'Logical_Router_Port',
    'planted-vpc-gone',
    {
      name: 'planted-vpc-gone',
      mac: '0a:58:00:00:01:02',
      networks: set(['10.96.0.1/24', 'fd00:96::1/64']),
      gateway_chassis: uuid(rowId(111)),
      external_ids: keys(['lr', 'planted-vpc']),
      ipv6_prefix: 'fd00::/64',
    },
    [
      insert(
        'Gateway_Chassis',
        { name: 'planted-vpc-gone-c1', chassis_name: 'c1', priority: 100 },
        rowId(111),
      ),
      into('Logical_Router', GROUND.router, 'ports'),
    ],
    [`Gateway_Chassis ${rowId(111)}`],
  ),
  notReferred: 'only a NAT may, which says nothing of its owner and so keeps the port',
};
