import { defineRelation } from '../world/relation';

/** Load-balancer health checks by the subnet they are sent from: the key Kube-OVN puts on each. */
export const healthChecksBySubnet = defineRelation({
  id: 'health-checks-by-subnet',
  kinds: ['Load_Balancer_Health_Check'],
  keys: ({ object: { external_ids: ids } }) =>
    ids && Object.hasOwn(ids, 'switch_lb_subnet') ? [ids['switch_lb_subnet']!] : [],
});
