import { deletesObject } from '../action-kit/delete-object';

export default deletesObject({
  id: 'delete-vip',
  kind: 'Vip',
  onlyApproved: false,
  rank: 11,
  does: 'Deletes the Vip; the Kube-OVN controller then removes its port, if it has one, and frees the address.',
  undoing:
    'The Vip comes back with a new uid, if nobody has its address by then; the controller recreates its port and status.',
});
