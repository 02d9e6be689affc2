import { ascendingBy } from '@ovn-steward/shared/compare';
import { SERVICE_VPC } from '../kube-ovn/service-vips';
import { splitVip, vipKey } from '../kube-ovn/vips';
import { claimsByVip } from '../relations/claims-by-vip';
import { servicesByVpcVip } from '../relations/services-by-vpc-vip';
import { vpcsByLoadBalancer } from '../relations/vpcs-by-load-balancer';
import { requestedByRouterRule } from '../rule-kit/router-rule';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { type Entity, keyOf } from '../world/entity';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { present, value } from '../rule-kit/facts';

/**
 * An entry of a VPC's load balancer for the vip of a Service that Kube-OVN serves in another VPC.
 *
 * Its endpoints were in this VPC before, or not seen yet (kube-ovn.md §3.5). Kube-OVN compares vips
 * over the whole cluster, so while the Service lives it never removes the entry (§4.5, row 59). An
 * address that Services of several VPCs request is no sign of it.
 */
export default defineRule({
  id: 'load-balancer-vip-of-other-vpc',
  class: 'drift',
  severity: 'warning',
  subject: 'Load_Balancer',
  reads: ['Service', 'SwitchLBRule', 'RouterLBRule', 'Vpc'],
  consults: ['OvnEip'],
  about:
    'A VPC load balancer answers the address of a Service that is served in another VPC: connections from this VPC are sent to backends that it does not reach. Kube-OVN never removes the entry; remove it from the vips by hand, if nothing needs it.',

  check(balancer, view) {
    const entries = Object.entries(balancer.object.vips ?? {});
    const [vpc, ...others] = view.related(vpcsByLoadBalancer, balancer.name);
    if (!vpc || others.length > 0) return healthy;
    const protocol = balancer.object.protocol ?? 'tcp';
    const foreign = entries.flatMap(([vip, backends]) => {
      const split = splitVip(vip);
      const key = split && vipKey(split.ip, split.port, protocol);
      if (!key || view.has(servicesByVpcVip, `${vpc.name} ${key}`)) return [];
      const services = view
        .related(claimsByVip, key)
        .filter((it): it is Entity<'Service'> => it.kind === 'Service')
        .sort(ascendingBy(keyOf));
      return services.length > 0 &&
        services.every(isServed) &&
        !requestedByRouterRule(split, protocol, view)
        ? [{ vip, backends, service: services[0]! }]
        : [];
    });
    return violation(
      ...foreign.map(({ vip, backends, service }) => ({
        summary: `load balancer ${balancer.name} of VPC ${vpc.name} answers ${vip}/${protocol}, which Service ${keyOf(service)} asks for in VPC ${vpcOfService(service)}`,
        part: { column: 'vips', key: vip },
        owner: view.ownership(balancer),
        concerns: [service],
        proof: [
          present(balancer),
          value(balancer, `vips[${vip}]`, backends),
          present(vpc),
          value(service, `metadata.annotations[${SERVICE_VPC}]`, vpcOfService(service)),
        ],
      })),
    );
  },
});

const vpcOfService = ({ object: { metadata } }: Entity<'Service'>): string =>
  metadata.annotations?.[SERVICE_VPC] ?? '';

/** One that Kube-OVN has not served yet may be about to be, here. */
const isServed = (service: Entity<'Service'>): boolean =>
  !isBeingDeleted(service) && vpcOfService(service) !== '';
