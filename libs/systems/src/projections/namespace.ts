import { kubernetesObject } from './metadata';
import { record, text, texts } from './shape';

/**
 * The subnets of a namespace are in its annotations (kube-ovn.md §8.1); the phase and the
 * finalizers show a stuck deletion.
 */
export const namespace = kubernetesObject({
  spec: record({ finalizers: texts }),
  status: record({ phase: text }),
});
