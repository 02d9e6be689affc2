import { operation } from '@ovn-steward/ovsdb';
import { GROUND, into, plantedRow } from '../../testing/plants';

const { map } = operation;

export const plant = plantedRow(
  'Load_Balancer_Health_Check',
  '',
  {
    vip: '10.97.0.1:80',
    options: map([['interval', '5']]),
    external_ids: map([['switch_lb_subnet', 'planted-net']]),
  },
  [into('Load_Balancer', GROUND.balancer, 'health_check')],
);
