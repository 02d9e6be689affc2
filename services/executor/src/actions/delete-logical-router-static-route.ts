import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-logical-router-static-route',
  table: 'Logical_Router_Static_Route',
  onlyApproved: false,
  rank: 21,
  does: 'Takes the static route out of its router.',
  undoing: 'The route comes back as it was; traffic was routed without it in between.',
  losses: ['traffic was routed without it in between'],
});
