import { kubernetesObject, templateMetadata } from './metadata';
import { integer, record } from './shape';

/**
 * Deployment, ReplicaSet, StatefulSet and DaemonSet alike: how many pods they want, the ordinals a StatefulSet keeps addresses for
 * (kube-ovn.md §6.3), and what their pods are born with (§8.3 compares the pod with its owner's template).
 */
export const workload = kubernetesObject({
  spec: record({ replicas: integer, ordinals: record({ start: integer }), template: record({ metadata: templateMetadata }) }),
});
