import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-address-set',
  table: 'Address_Set',
  onlyApproved: false,
  rank: 80,
  does: 'Deletes the address set, which no match and no NAT names.',
  undoing: 'Nothing is lost: nothing named it.',
  losses: [],
});
