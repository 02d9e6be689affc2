import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/** Load-balancer health checks by the balancer that holds them. */
export const healthChecksByHolder = defineRelation({
  id: 'health-checks-by-holder',
  kinds: ['Load_Balancer_Health_Check'],
  keys: (check) => parentsOf(check).map((it) => it.uid),
});
