import { GROUND, plantedEntry } from '../../testing/plants';

export const plant = plantedEntry(
  'Load_Balancer',
  GROUND.balancer,
  'vpc-planted-vpc-tcp-load',
  'vips',
  '10.97.0.1:80',
);
