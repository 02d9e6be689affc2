import { operation } from '@ovn-steward/ovsdb';
import { GROUND, into, plantedRow } from '../../testing/plants';

const { map } = operation;

export const plant = plantedRow(
  'QoS',
  '',
  { priority: 100, direction: 'from-lport', match: 'ip4', bandwidth: map([['rate', 1000]]) },
  [into('Logical_Switch', GROUND.switch, 'qos_rules')],
);
