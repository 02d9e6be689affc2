import { deletesObject } from '../action-kit/delete-object';

export default deletesObject({
  id: 'delete-ovn-eip',
  kind: 'OvnEip',
  onlyApproved: false,
  rank: 12,
  does: 'Deletes the OvnEip; the Kube-OVN controller frees the address once no NAT rule uses it.',
  undoing:
    'The OvnEip comes back with a new uid, if nobody has its address by then; the controller recreates its ports and status, with another MAC address.',
  unproposed:
    'People request these addresses, perhaps before they use them. Nothing on an OvnEip shows whether the controller made it for a Vpc or somebody reserved it. `stuck-ovn-eip-deletion` finds deletions that hang',
});
