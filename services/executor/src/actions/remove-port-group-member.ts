import { removesEntry } from '../northbound/remove-entry';

export default removesEntry({
  id: 'remove-port-group-member',
  table: 'Port_Group',
  column: 'ports',
  onlyApproved: false,
  rank: 55,
  does: 'Takes the port out of the port group; both stay.',
  undoing: 'The port is in the group again, if both are still there; its traffic was not filtered by the group in between.',
});
