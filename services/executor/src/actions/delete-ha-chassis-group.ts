import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-ha-chassis-group',
  table: 'HA_Chassis_Group',
  onlyApproved: false,
  rank: 130,
  does: 'Deletes the HA chassis group with its members; no port refers to it.',
  undoing: 'The group comes back as it was; no port referred to it, so no traffic changed.',
  losses: [],
});
