import { deletesObject } from '../action-kit/delete-object';

export default deletesObject({
  id: 'delete-iptables-eip',
  kind: 'IptablesEIP',
  onlyApproved: false,
  rank: 13,
  does: "Deletes the IptablesEIP; the Kube-OVN controller takes the address from the gateway's pod and frees it once no rule uses it.",
  undoing:
    "The IptablesEIP comes back with a new uid, if nobody has its address by then; the controller gives it to the gateway's pod again, with another MAC address.",
  unproposed:
    'People request these addresses, perhaps before they use them. `stuck-iptables-eip-deletion` finds deletions that hang',
});
