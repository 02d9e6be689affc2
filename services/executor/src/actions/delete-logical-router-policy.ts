import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-logical-router-policy',
  table: 'Logical_Router_Policy',
  onlyApproved: false,
  rank: 20,
  does: 'Takes the policy out of its router.',
  undoing: 'The policy comes back as it was; traffic was routed without it in between.',
  losses: ['traffic was routed without it in between'],
});
