import type { Entity } from '../world/entity';
import { RULE_ANNOTATIONS, serviceAddresses, vipKey } from './vips';

/**
 * Where Kube-OVN records on a Service in which VPC's load balancers it put the vips, by where the
 * endpoints are (kube-ovn.md §1, §4.5).
 */
export const SERVICE_VPC = 'ovn.kubernetes.io/vpc';

type Port = NonNullable<NonNullable<Entity<'Service'>['object']['spec']>['ports']>[number];

/**
 * The addresses under which Kube-OVN answers for a Service: those of its rule where it has one,
 * else its cluster addresses.
 */
export function answeredAddresses(service: Entity<'Service'>): string[] {
  const { spec } = service.object;
  const ofRule = addressesOfRule(service);
  return (ofRule ? ofRule.split(',') : (spec?.clusterIPs ?? [spec?.clusterIP ?? '']))
    .map((it) => it.trim())
    .filter((it) => it !== '' && it !== 'None');
}

/** Whether Kube-OVN made it for a SwitchLBRule or a RouterLBRule. */
export const isOfRule = (service: Entity<'Service'>): boolean => addressesOfRule(service) !== '';

const addressesOfRule = ({ object: { metadata } }: Entity<'Service'>): string =>
  RULE_ANNOTATIONS.map((key) => metadata.annotations?.[key]).find((it) => it) ?? '';

/** Every vip it may request, in one spelling. */
export const claimedVips = (service: Entity<'Service'>): string[] =>
  serviceAddresses(service).flatMap((ip) =>
    (service.object.spec?.ports ?? []).flatMap(
      (it) => vipKey(ip.trim(), it.port, protocolOf(it)) ?? [],
    ),
  );

export const protocolOf = ({ protocol = 'TCP' }: Pick<Port, 'protocol'>): string =>
  protocol.toLowerCase();

/**
 * The name of the VPC's load balancer for that protocol and affinity; undefined where it has none,
 * as with `enable-lb=false`.
 */
export function balancerFor(
  { object: { status } }: Entity<'Vpc'>,
  protocol: string,
  affinity: string | undefined,
): string | undefined {
  const names: Readonly<Record<string, string | undefined>> =
    affinity === 'ClientIP'
      ? {
          tcp: status?.tcpSessionLoadBalancer,
          udp: status?.udpSessionLoadBalancer,
          sctp: status?.sctpSessionLoadBalancer,
        }
      : {
          tcp: status?.tcpLoadBalancer,
          udp: status?.udpLoadBalancer,
          sctp: status?.sctpLoadBalancer,
        };
  return names[protocol] || undefined;
}
