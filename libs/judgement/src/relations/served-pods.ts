import { isAlive, podNetworks } from '../kube-ovn/pod-networks';
import { defineRelation } from '../world/relation';

/** Living pods that Kube-OVN gave a port, by namespace: thousands for one key. */
export const servedPods = defineRelation({
  id: 'served-pods',
  kinds: ['Pod'],
  keys: (pod) => (isAlive(pod) && podNetworks(pod).length > 0 ? [pod.namespace ?? ''] : []),
});
