import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-acl',
  table: 'ACL',
  onlyApproved: false,
  rank: 60,
  does: 'Takes the ACL out of the port group or switch that holds it.',
  undoing: 'The ACL comes back as it was; traffic was filtered without it in between.',
  losses: ['traffic was filtered without it in between'],
  unproposed:
    'An ACL belongs to its group or switch and is deleted with it. In a group that is in use it is policy. One of two equal ACLs could be removed without effect, but not put back: undo does not write a second ACL in one place, because Kube-OVN may stop at it',
});
