import { acl, GROUND, into, plantedRow } from '../../testing/plants';

export const plant = plantedRow(
  'ACL',
  '',
  acl('outport == @ovn.sg.living && ip4', 'ovn.sg.living'),
  [into('Port_Group', GROUND.group, 'acls')],
);
