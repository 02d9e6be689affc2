import { deletesObject } from '../action-kit/delete-object';

export default deletesObject({
  id: 'delete-ip',
  kind: 'IP',
  // The Subnet's deletion waits until nothing but its interconnection counts (kube-ovn.md §7.2).
  mayPrecede: (ip, owner) =>
    owner.kind === 'Subnet' && ip.metadata.name === `mcast-querier.${owner.name}`,
  onlyApproved: false,
  rank: 10,
  takes: ['Logical_Switch_Port'],
  does: 'Deletes the IP object; the Kube-OVN controller then removes the port of that name and frees the address.',
  undoing:
    'The IP object comes back with a new uid, if nobody has its address by then, and the controller keeps the address for it; a port comes back only with its pod.',
});
