import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-ha-chassis-group',
  table: 'HA_Chassis_Group',
  onlyApproved: false,
  rank: 130,
  does: 'Deletes the group with its members, once no port holds it.',
  undoing: 'Nothing is lost: no port had it.',
});
