import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-qos',
  table: 'QoS',
  onlyApproved: true,
  rank: 23,
  does: 'Takes the QoS rule out of its switch, once a person agreed: Kube-OVN makes none.',
  undoing: 'The rule comes back as it was; traffic was not limited or marked in between.',
  losses: ['traffic was not limited or marked by it in between'],
  unproposed: 'Kube-OVN writes no QoS rule: each belongs to somebody else',
});
