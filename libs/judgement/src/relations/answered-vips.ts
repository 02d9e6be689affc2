import { splitVip, vipKey } from '../kube-ovn/vips';
import { defineRelation } from '../world/relation';

/** Load balancers by each vip that they answer, as `ip|port|protocol`, whatever their name. */
export const answeredVips = defineRelation({
  id: 'answered-vips',
  kinds: ['Load_Balancer'],
  keys: ({ object: { vips = {}, protocol = 'tcp' } }) =>
    Object.keys(vips).flatMap((text) => {
      const vip = splitVip(text);
      return (vip && vipKey(vip.ip, vip.port, protocol)) ?? [];
    }),
});
