import { GROUND, into, keys, plantedRow } from '../../testing/plants';

export const plant = plantedRow(
  'Logical_Router_Static_Route',
  '',
  { ip_prefix: '10.96.0.0/24', nexthop: '10.98.0.2', policy: 'dst-ip', external_ids: keys() },
  [into('Logical_Router', GROUND.router, 'static_routes')],
);
