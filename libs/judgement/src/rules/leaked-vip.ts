import { formatIp, ipsIn } from '@ovn-steward/shared/address';
import { answeredAddresses, balancerFor, protocolOf, SERVICE_VPC } from '../kube-ovn/service-vips';
import { vipKey } from '../kube-ovn/vips';
import { balancersByVip } from '../relations/balancers-by-vip';
import { healthChecksBySubnet } from '../relations/health-checks-by-subnet';
import { portsByAddress } from '../relations/ports-by-address';
import { servicesOfRules } from '../relations/services-of-rules';
import { slicesByService } from '../relations/slices-by-service';
import { switchesByName } from '../relations/switches-by-name';
import { VIP_USER_KINDS, vipUsers } from '../relations/vip-users';
import type { View } from '../rule-kit/view';
import { type Entity, keyOf, referenceTo } from '../world/entity';
import { fieldWriter } from '../rule-kit/field-writer';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { absent, absentRow, unchanged, unclaimed, value } from '../rule-kit/facts';

/** The labels Kube-OVN gives every Vip; any other shows that somebody has plans with it. */
const OWN_LABELS = new Set(['ovn.kubernetes.io/subnet', 'ovn.kubernetes.io/ip_reserved']);

/**
 * A Vip made to check the health of load-balancer backends of a subnet that has no such checks.
 *
 * Kube-OVN names it exactly like the subnet. A SwitchLBRule handled before its endpoints exist is
 * taken for one of the default subnet, and the Vip made there is never removed: an address is lost,
 * and the subnet cannot be deleted (kube-ovn.md §3.5, row 64). Every other Vip is somebody's
 * reservation, used or not.
 *
 * Kube-OVN makes the Vip before it knows of an endpoint that is ready, and takes the checks away,
 * not the Vip, when none is any more (`getHealthCheckVip` and `LoadBalancerDeleteVip` in
 * pkg/controller/endpoint_slice.go, v1.14 to v1.17; endpoint.go before). Of which Subnet the
 * endpoints will be is not known until then.
 *
 * A Subnet that was deleted by force leaves its Vip for good (seen beside v1.16.2): that blocks
 * nothing until a Subnet of the name comes back, and its address is taken again. Without the Subnet
 * the controller finishes the deletion of a Vip of no type (`handleUpdateVirtualIP` in
 * pkg/controller/vip.go, v1.12 to master).
 */
export default defineRule({
  id: 'leaked-vip',
  class: 'leak',
  severity: 'info',
  subject: 'Vip',
  reads: [
    ...VIP_USER_KINDS,
    'Load_Balancer_Health_Check',
    'Logical_Switch',
    'Subnet',
    'Vpc',
    'EndpointSlice',
  ],
  about:
    "A Vip made for the health checks of a subnet's load balancers, though no such check is left. It keeps an address of the subnet and blocks its deletion. A restart does not remove it.",
  remedy: 'delete-vip',

  check(vip, view) {
    if (isBeingDeleted(vip) || !isForHealthChecks(vip)) return healthy;
    const writer = fieldWriter(vip, ({ 'f:spec': spec }) => Object.hasOwn(spec ?? {}, 'f:subnet'));
    if (writer === 'another') return healthy;
    if (writer === 'nobody')
      return unknown(`Vip ${vip.name} does not say who made it (metadata.managedFields)`);
    if (view.has(healthChecksBySubnet, vip.name)) return healthy;
    const { spec, status } = vip.object;
    const texts = new Set([status?.v4ip, status?.v6ip, spec?.v4ip, spec?.v6ip]);
    const held = ipsIn([...texts]).map(formatIp);
    if (held.length === 0 || view.has(vipUsers, `name ${vip.name}`)) return healthy;
    if (held.some((it) => view.has(vipUsers, `address ${it}`))) return healthy;
    const switches = view.related(switchesByName, vip.name);
    const isGone = switches.length === 0 && view.presence('Subnet', vip.name) === 'absent';
    if (switches.length === 0 && !isGone)
      return unknown(
        `the subnet of Vip ${vip.name} has no switch, where its health checks would be seen`,
      );
    if (switches.some(({ uid }) => held.some((it) => view.has(portsByAddress, `${uid} ${it}`))))
      return healthy;
    const waiting = view.related(servicesOfRules, 'any').filter((it) => isAwaited(it, view));
    if (waiting.length > 0)
      return unknown(
        `no endpoint of Service ${waiting.map(keyOf).sort()[0]!} is ready: when one is, its health may be checked from Vip ${vip.name}`,
      );

    return violation({
      summary: `Vip ${vip.name} keeps ${held.join(', ')} of subnet ${vip.name}${isGone ? ', which no longer exists,' : ''} for health checks, of which there are none`,
      proof: [
        ...(isGone ? [absent('Subnet', vip.name), absentRow('Logical_Switch', vip.name)] : []),
        unclaimed('Load_Balancer_Health_Check', 'external_ids[switch_lb_subnet]', vip.name),
        unclaimed('Load_Balancer', 'ip_port_mappings', held.join(', ')),
        unclaimed('Pod', 'metadata.annotations[ovn.kubernetes.io/vip]', vip.name),
        value(vip, 'spec.subnet', vip.name),
        unchanged(vip),
      ],
      remedy: {
        action: 'delete-vip',
        target: referenceTo(vip),
        advice: `delete the Vip: the controller frees ${held.join(', ')}, and makes it again should a health check need it`,
      },
    });
  },
});

/**
 * Whether it has a slice, and one of its ports is answered by no load balancer: none of its
 * endpoints is ready.
 */
function isAwaited(
  service: Entity<'Service'>,
  view: View<'Service' | 'Vpc' | 'Load_Balancer' | 'EndpointSlice'>,
): boolean {
  const { metadata, spec } = service.object;
  if (isBeingDeleted(service) || !view.has(slicesByService, keyOf(service))) return false;
  const vpc = view.get('Vpc', metadata.annotations?.[SERVICE_VPC] ?? '');
  return answeredAddresses(service).some((ip) =>
    (spec?.ports ?? []).some((port) => {
      const protocol = protocolOf(port);
      const balancer = vpc && balancerFor(vpc, protocol, spec?.sessionAffinity);
      const key = vipKey(ip, port.port, protocol);
      return balancer === undefined || !view.has(balancersByVip, `${balancer} ${key}`);
    }),
  );
}

/**
 * As the controller makes them: named like the subnet, of no type and no namespace, bound to no
 * port, with nothing added. It writes no annotation and no list of selectors or subnets, not even
 * an empty one; what is applied from a file has them, or kubectl's or another tool's annotation.
 * What `kubectl create` made looks the same: there the managed fields say who made it.
 */
function isForHealthChecks({ name, object: { metadata, spec } }: Entity<'Vip'>): boolean {
  const labels = metadata.labels ?? {};
  const plain =
    (spec?.type ?? '') === '' &&
    (spec?.namespace ?? '') === '' &&
    spec?.subnet === name &&
    spec.selector === undefined &&
    spec.attachSubnets === undefined;
  const untouched =
    Object.keys(labels).every((it) => OWN_LABELS.has(it)) &&
    Object.keys(metadata.annotations ?? {}).length === 0 &&
    (metadata.ownerReferences ?? []).length === 0;
  return plain && labels['ovn.kubernetes.io/ip_reserved'] === '' && untouched;
}
