import { localEvidence } from '../ownership/local-evidence';
import { defineRelation } from '../world/relation';

/** Load balancers on which nothing tells who made them: few, as those of Kube-OVN's own Vpcs tell by their name. */
export const keylessBalancers = defineRelation({
  id: 'keyless-balancers',
  kinds: ['Load_Balancer'],
  keys: (balancer) => (localEvidence(balancer).owner === 'none' ? ['keyless'] : []),
});
