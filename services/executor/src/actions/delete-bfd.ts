import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-bfd',
  table: 'BFD',
  onlyApproved: false,
  rank: 30,
  does: 'Deletes the BFD session.',
  undoing:
    'The session comes back down and is negotiated again; routes and policies that followed it are tied to it again.',
  losses: ['the session begins down and is negotiated again'],
});
