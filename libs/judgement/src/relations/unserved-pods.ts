import { isUnserved } from '../kube-ovn/unserved';
import { defineRelation } from '../world/relation';

/** Pods on a node that Kube-OVN gave no address on the default network, all under one key. */
export const unservedPods = defineRelation({
  id: 'unserved-pods',
  kinds: ['Pod'],
  keys: (pod) => (isUnserved(pod) ? ['any'] : []),
});
