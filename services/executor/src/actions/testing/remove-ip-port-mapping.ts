import { GROUND, plantedEntry } from '../../testing/plants';

export const plant = plantedEntry(
  'Load_Balancer',
  GROUND.balancer,
  'vpc-planted-vpc-tcp-load',
  'ip_port_mappings',
  '10.99.0.9',
);
