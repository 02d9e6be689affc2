import { defineRelation } from '../world/relation';

/** VPCs by the names of the six load balancers their status lists (Kube-OVN `VpcStatus`). */
export const vpcsByLoadBalancer = defineRelation({
  id: 'vpcs-by-load-balancer',
  kinds: ['Vpc'],
  keys: ({ object: { status } }) =>
    [
      status?.tcpLoadBalancer,
      status?.tcpSessionLoadBalancer,
      status?.udpLoadBalancer,
      status?.udpSessionLoadBalancer,
      status?.sctpLoadBalancer,
      status?.sctpSessionLoadBalancer,
    ].filter((it): it is string => typeof it === 'string' && it !== ''),
});
