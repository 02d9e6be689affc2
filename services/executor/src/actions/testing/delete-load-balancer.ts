import { operation } from '@ovn-steward/ovsdb';
import { GROUND, into, keys, plantedRow, rowId } from '../../testing/plants';

const { insert, map, uuid } = operation;

export const plant = plantedRow(
  'Load_Balancer',
  'vpc-gone-udp-load',
  {
    name: 'vpc-gone-udp-load',
    protocol: 'udp',
    options: map([['prefer_local_backend', 'false']]),
    external_ids: keys(),
    vips: map([
      ['10.97.0.3:53', '10.99.0.2:53'],
      ['10.97.0.4:53', '10.99.0.2:54'],
    ]),
    health_check: uuid(rowId(114)),
  },
  [
    insert(
      'Load_Balancer_Health_Check',
      { vip: '10.97.0.3:53', external_ids: map([['switch_lb_subnet', 'planted-net']]) },
      rowId(114),
    ),
    into('Logical_Switch', GROUND.switch, 'load_balancer'),
    into('Logical_Router', GROUND.router, 'load_balancer'),
  ],
  [`Load_Balancer_Health_Check ${rowId(114)}`],
);
