import { splitVip, vipKey } from '../kube-ovn/vips';
import { defineRelation } from '../world/relation';

/**
 * Load balancers by their name and a vip they answer, as `<name> ip|port|protocol`: a subject that
 * reads one vip is not re-checked when another moves.
 */
export const balancersByVip = defineRelation({
  id: 'balancers-by-vip',
  kinds: ['Load_Balancer'],
  keys: ({ name, object: { vips = {}, protocol = 'tcp' } }) =>
    Object.keys(vips).flatMap((vipText) => {
      const vip = splitVip(vipText);
      const key = vip && vipKey(vip.ip, vip.port, protocol);
      return key === undefined ? [] : [`${name} ${key}`];
    }),
});
