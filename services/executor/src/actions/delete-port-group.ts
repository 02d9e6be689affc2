import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-port-group',
  table: 'Port_Group',
  onlyApproved: false,
  rank: 70,
  does: 'Deletes the port group with the ACLs that only it holds.',
  undoing:
    'The group comes back with its ACLs, without the ports that were deleted meanwhile; traffic was filtered without its ACLs in between.',
  losses: ['traffic was filtered without its ACLs in between'],
});
