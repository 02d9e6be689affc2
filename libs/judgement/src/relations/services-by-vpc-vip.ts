import { claimedVips, SERVICE_VPC } from '../kube-ovn/service-vips';
import { defineRelation } from '../world/relation';

/**
 * Services by the VPC in which Kube-OVN serves them and each vip they request, as
 * `<vpc> ip|port|protocol`.
 */
export const servicesByVpcVip = defineRelation({
  id: 'services-by-vpc-vip',
  kinds: ['Service'],
  keys: (service) => {
    const vpc = service.object.metadata.annotations?.[SERVICE_VPC] ?? '';
    return vpc === '' ? [] : claimedVips(service).map((it) => `${vpc} ${it}`);
  },
});
