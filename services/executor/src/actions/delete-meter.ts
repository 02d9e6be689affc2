import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-meter',
  table: 'Meter',
  onlyApproved: false,
  rank: 90,
  does: 'Deletes the meter with its bands, which no ACL names.',
  undoing: 'Nothing is lost but what it had counted.',
  losses: ['what it had counted'],
});
