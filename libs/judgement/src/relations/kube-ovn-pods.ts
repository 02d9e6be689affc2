import { defineRelation } from '../world/relation';
import { isAlive, podNetworks } from '../kube-ovn/pod-networks';

/** Living pods that Kube-OVN says it gave a port. All under one key. */
export const kubeOvnPods = defineRelation({
  id: 'kube-ovn-pods',
  kinds: ['Pod'],
  counted: true,
  keys: (pod) => (isAlive(pod) && podNetworks(pod).length > 0 ? ['any'] : []),
});
