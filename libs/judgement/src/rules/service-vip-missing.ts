import { ascendingBy } from '@ovn-steward/shared/compare';
import { answeredAddresses, balancerFor, protocolOf, SERVICE_VPC } from '../kube-ovn/service-vips';
import { vipKey } from '../kube-ovn/vips';
import { balancersByVip } from '../relations/balancers-by-vip';
import { slicesByService } from '../relations/slices-by-service';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { type Entity, keyOf } from '../world/entity';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { present, unclaimed, value } from '../rule-kit/facts';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { ignoresServices } from '../rule-kit/controller-flags';

/**
 * A Service with endpoints, one of whose vips is not in the load balancer of the VPC in which
 * Kube-OVN serves it.
 *
 * Making or deleting a SwitchLBRule can take the vip of another Service along (kube-ovn.md row 60),
 * and the controller checks again only when the endpoints change. A Service without endpoints has
 * no vip (§3.5), and neither has one whose VPC has no load balancers. With `enable-lb=false` the
 * controller handles no endpoints, and only its collection at a start takes the load balancers from
 * the status of a Vpc (`gcLoadBalancer`, v1.12 to v1.17): with `gc-interval=0` they stay as they were.
 */
export default defineRule({
  id: 'service-vip-missing',
  class: 'missing',
  severity: 'critical',
  subject: 'Service',
  reads: [...CONTROLLER_KINDS, 'EndpointSlice', 'Vpc', 'Load_Balancer'],
  about:
    'A Service with endpoints whose address and port are in no load balancer of its VPC: nothing answers there, except kube-proxy in the default VPC. A change of its endpoints, or a restart of the controller, makes Kube-OVN write the entry again.',

  check(service, view) {
    const vpcName = service.object.metadata.annotations?.[SERVICE_VPC] ?? '';
    if (isBeingDeleted(service)) return healthy;
    const vpc = view.get('Vpc', vpcName);
    if (!vpc || isBeingDeleted(vpc)) return healthy;
    const missing = desired(service, vpc).filter(
      ({ balancer, key }) => !view.has(balancersByVip, `${balancer} ${key}`),
    );
    if (missing.length === 0 || ignoresServices(view)) return healthy;
    return violation(
      ...missing.flatMap(({ ip, port, protocol, name, balancer, key }) => {
        const slice = served({ service, name, ip }, view);
        if (!slice) return [];
        const vip = `${ip} port ${port}/${protocol}`;
        return [
          {
            summary: `Service ${keyOf(service)} has endpoints, and load balancer ${balancer} of VPC ${vpcName} does not answer ${vip}`,
            part: { column: 'spec.ports', key: `${ip} ${port}/${protocol}` },
            proof: [
              present(service),
              value(service, `metadata.annotations[${SERVICE_VPC}]`, vpcName),
              present(vpc),
              present(slice),
              unclaimed(
                'Load_Balancer',
                'name and vips',
                `${balancer} ${key}`.replaceAll('|', ' '),
              ),
            ],
          },
        ];
      }),
    );
  },
});

interface DesiredVip {
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
  /** Of the port: EndpointSlices name what they serve so. */
  readonly name: string;
  readonly balancer: string;
  readonly key: string;
}

const desired = (service: Entity<'Service'>, vpc: Entity<'Vpc'>): DesiredVip[] =>
  answeredAddresses(service).flatMap((ip) =>
    (service.object.spec?.ports ?? []).flatMap((port) => {
      const protocol = protocolOf(port);
      const key = vipKey(ip, port.port, protocol);
      const balancer = balancerFor(vpc, protocol, service.object.spec?.sessionAffinity);
      return key === undefined || balancer === undefined
        ? []
        : [{ ip, port: port.port, protocol, name: port.name ?? '', balancer, key }];
    }),
  );

/**
 * A slice of the Service that has, for that port and of the family of that address, an endpoint
 * that takes connections.
 */
const served = (
  of: { readonly service: Entity<'Service'>; readonly name: string; readonly ip: string },
  view: View<'EndpointSlice'>,
): Entity<'EndpointSlice'> | undefined =>
  [...view.related(slicesByService, keyOf(of.service))]
    .sort(ascendingBy((it) => it.name))
    .find(
      ({ object: { metadata, addressType, ports = [], endpoints = [] } }) =>
        metadata.deletionTimestamp === undefined &&
        addressType === (of.ip.includes(':') ? 'IPv6' : 'IPv4') &&
        endpoints.length > 0 &&
        ports.some((it) => (it.name ?? '') === of.name && (it.port ?? 0) !== 0),
    );
