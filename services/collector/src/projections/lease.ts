import { kubernetesObject } from './metadata';
import { integer, open, text } from './shape';

/** Who leads: a new holder of `kube-ovn-controller` means its collector just ran and its address memory was rebuilt (kube-ovn.md §0.1). */
export const lease = kubernetesObject({
  spec: open({ holderIdentity: text, leaseDurationSeconds: integer, leaseTransitions: integer, acquireTime: text, renewTime: text }),
});
