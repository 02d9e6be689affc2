import { operation } from '@ovn-steward/ovsdb';
import { GROUND, into, keys, plantedRow, rowId, TARGET } from '../../testing/plants';

const { insert, uuid } = operation;

export const plant = plantedRow(
  'BFD',
  '',
  {
    logical_port: 'bfd@planted-vpc',
    dst_ip: '10.95.0.2',
    min_tx: 1000,
    status: 'up',
    external_ids: keys(['af', '4'], ['vpc-egress-gateway', 'planted/gone']),
  },
  [
    insert(
      'Logical_Router_Static_Route',
      {
        ip_prefix: '10.94.0.0/24',
        nexthop: '10.95.0.2',
        bfd: uuid(TARGET),
        external_ids: keys(),
      },
      rowId(112),
    ),
    into('Logical_Router', GROUND.router, 'static_routes', rowId(112)),
    insert(
      'Logical_Router_Policy',
      {
        priority: 29000,
        match: 'ip4.src == 10.94.0.0/24',
        action: 'reroute',
        bfd_sessions: uuid(TARGET),
        external_ids: keys(['subnet', 'gone']),
      },
      rowId(113),
    ),
    into('Logical_Router', GROUND.router, 'policies', rowId(113)),
  ],
);
