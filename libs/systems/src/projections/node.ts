import { kubernetesObject } from './metadata';
import { list, open, record, text } from './shape';

/**
 * Kube-OVN keeps a node's address, port and chassis in its annotations, and its roles in its labels
 * (kube-ovn.md §1); router policies lead to the addresses Kubernetes knows it by. Of its conditions
 * the times are left out: each heartbeat moves them.
 */
export const node = kubernetesObject({
  status: record({
    addresses: list(open({ type: text, address: text })),
    conditions: list(record({ type: text, status: text })),
  }),
});
