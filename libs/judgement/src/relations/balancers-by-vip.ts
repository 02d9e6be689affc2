import { answeredKeys } from '../kube-ovn/vips';
import { defineRelation } from '../world/relation';

/**
 * Load balancers by their name and a vip they answer, as `<name> ip|port|protocol`: a subject that
 * reads one vip is not re-checked when another moves.
 */
export const balancersByVip = defineRelation({
  id: 'balancers-by-vip',
  kinds: ['Load_Balancer'],
  keys: (balancer) => answeredKeys(balancer).map((key) => `${balancer.name} ${key}`),
});
