import { defineRelation } from '../world/relation';

/** The annotation by which Kube-OVN says that a pod has its port on the default network. */
export const DEFAULT_ALLOCATED = 'ovn.kubernetes.io/allocated';

/** Pods that Kube-OVN gave a port on the default network, all under one key: where there is none, it may serve attachments alone (kube-ovn.md §2). */
export const defaultNetworkPods = defineRelation({
  id: 'default-network-pods',
  kinds: ['Pod'],
  keys: ({ object: { metadata } }) =>
    metadata.annotations?.[DEFAULT_ALLOCATED] === 'true' ? ['any'] : [],
});
