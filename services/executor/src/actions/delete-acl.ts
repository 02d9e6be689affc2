import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-acl',
  table: 'ACL',
  onlyApproved: false,
  rank: 60,
  does: 'Takes the ACL out of the port group or switch that holds it.',
  undoing: 'The ACL comes back as it was; traffic was filtered without it in between.',
});
