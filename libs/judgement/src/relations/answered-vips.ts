import { answeredKeys } from '../kube-ovn/vips';
import { defineRelation } from '../world/relation';

/** Load balancers by each vip that they answer, as `ip|port|protocol`, whatever their name. */
export const answeredVips = defineRelation({
  id: 'answered-vips',
  kinds: ['Load_Balancer'],
  keys: answeredKeys,
});
