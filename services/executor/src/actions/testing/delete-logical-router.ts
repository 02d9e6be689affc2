import { operation } from '@ovn-steward/ovsdb';
import { GROUND, keys, plantedRow, rowId } from '../../testing/plants';

const { insert, map, uuid } = operation;

export const plant = plantedRow(
  'Logical_Router',
  'planted-old',
  {
    name: 'planted-old',
    external_ids: keys(),
    ports: uuid(rowId(125)),
    policies: uuid(rowId(126)),
    static_routes: uuid(rowId(127)),
    load_balancer: uuid(GROUND.balancer),
    options: map([['mac_binding_age_threshold', '300']]),
  },
  [
    insert(
      'Logical_Router_Port',
      {
        name: 'planted-old-left',
        mac: '0a:58:00:00:01:05',
        networks: '10.91.0.1/24',
        external_ids: keys(['lr', 'planted-old']),
      },
      rowId(125),
    ),
    insert(
      'Logical_Router_Policy',
      {
        priority: 31000,
        match: 'ip4.dst == 10.91.0.0/24',
        action: 'allow',
        external_ids: keys(['subnet', 'left']),
      },
      rowId(126),
    ),
    insert(
      'Logical_Router_Static_Route',
      {
        ip_prefix: '0.0.0.0/0',
        nexthop: '10.91.0.254',
        output_port: 'planted-old-left',
        external_ids: keys(),
      },
      rowId(127),
    ),
  ],
  [
    `Logical_Router_Port ${rowId(125)}`,
    `Logical_Router_Policy ${rowId(126)}`,
    `Logical_Router_Static_Route ${rowId(127)}`,
  ],
);
