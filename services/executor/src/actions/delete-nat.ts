import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-nat',
  table: 'NAT',
  onlyApproved: true,
  rank: 22,
  does: 'Takes the NAT out of its router, once a person agreed: Kube-OVN marks no NAT as its own.',
  undoing:
    'The NAT comes back as it was, unless its address has been given to another; connections through it were cut.',
  losses: ['connections through it were cut'],
});
