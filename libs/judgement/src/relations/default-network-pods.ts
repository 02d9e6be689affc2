import { DEFAULT_ALLOCATED } from '../kube-ovn/unserved';
import { defineRelation } from '../world/relation';

/**
 * Pods that Kube-OVN gave a port on the default network, all under one key: where there is none, it
 * may serve attachments alone (kube-ovn.md §2).
 */
export const defaultNetworkPods = defineRelation({
  id: 'default-network-pods',
  kinds: ['Pod'],
  counted: true,
  keys: ({ object: { metadata } }) =>
    metadata.annotations?.[DEFAULT_ALLOCATED] === 'true' ? ['any'] : [],
});
