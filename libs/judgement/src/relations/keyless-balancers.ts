import { localEvidence } from '../ownership/local-evidence';
import { defineRelation } from '../world/relation';

/**
 * Load balancers on which nothing identifies their maker: few, as those of Kube-OVN's own Vpcs are
 * identified by their name.
 */
export const keylessBalancers = defineRelation({
  id: 'keyless-balancers',
  kinds: ['Load_Balancer'],
  keys: (balancer) => (localEvidence(balancer).owner === 'none' ? ['keyless'] : []),
});
