import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-port-group',
  table: 'Port_Group',
  onlyApproved: false,
  rank: 70,
  does: 'Deletes the port group with the ACLs that only it holds.',
  undoing:
    'Ports that went meanwhile are not in it any more; traffic was filtered without its ACLs in between.',
});
