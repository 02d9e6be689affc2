import { defineRelation } from '../world/relation';

/**
 * Kube-OVN's BFD sessions of gateways that are up, all under `any`: that there is one shows that
 * chassis send BFD.
 */
export const sessionsUp = defineRelation({
  id: 'sessions-up',
  kinds: ['BFD'],
  keys: ({ object }) =>
    object['status'] === 'up' && object.external_ids?.['vendor'] === 'kube-ovn' ? ['any'] : [],
});
