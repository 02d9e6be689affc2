import { defineRelation } from '../world/relation';

/** What Kube-OVN's networks are: while there is any, it may be in use. All under one key. */
export const kubeOvnNetworks = defineRelation({
  id: 'kube-ovn-networks',
  kinds: ['Vpc', 'Subnet'],
  keys: () => ['any'],
});
