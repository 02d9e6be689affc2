import { kubernetesObject } from './metadata';
import { integer, record, text } from './shape';

/**
 * Who leads: a new holder of `kube-ovn-controller` means its collector just ran and its address
 * memory was rebuilt (kube-ovn.md §0.1). When it was renewed last is not kept: every node's kubelet
 * renews its own every ten seconds, and no rule reads it.
 */
export const lease = kubernetesObject({
  spec: record({ holderIdentity: text, leaseTransitions: integer }),
});
