import { kubernetesObject } from './metadata';

/** Kube-OVN keeps a node's address, port and chassis in its annotations, and its roles in its labels (kube-ovn.md §1). */
export const node = kubernetesObject({});
