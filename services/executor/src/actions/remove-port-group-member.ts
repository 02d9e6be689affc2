import { removesEntry } from '../action-kit/remove-entry';

export default removesEntry({
  id: 'remove-port-group-member',
  table: 'Port_Group',
  column: 'ports',
  onlyApproved: true,
  rank: 55,
  does: "Takes the port out of the port group, once a person agreed; both stay, and what the group's ACLs say does not hold for the port any more.",
  undoing:
    'The port is in the group again, if both are still there; its traffic was not filtered by the group in between.',
});
