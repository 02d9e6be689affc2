import { compareValues } from '@ovn-steward/shared/compare';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { holderOf, isControllerLease } from '../kube-ovn/lease-holder';
import { subnetsOfNamespace } from '../kube-ovn/namespace-subnets';
import { poolsBySubnet } from '../relations/pools-by-subnet';
import { unservedPods } from '../relations/unserved-pods';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { servesDefaultNetwork } from '../rule-kit/controller-flags';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { ALL_SERVED, minuteMade, servedPods } from '../tallies/served-pods';
import type { Entity } from '../world/entity';
import { present, value } from '../rule-kit/facts';

/** So many pods wait before the controller is blamed, each of a subnet that has addresses left. */
const ENOUGH = 3;
/** Pods that are examined; more of them show no more. */
const MOST = 500;

/**
 * A controller that leads and serves no pod any more.
 *
 * After a change of the Northbound's leader it was seen to go on without receiving any updates
 * (row 73, #7497), and after a crash of another to serve no pod (row 74). No pod that was created
 * later than those which wait has an address; one that has shows that the controller works, and
 * that the others wait for reasons of their own. So no clock is read.
 */
export default defineRule({
  id: 'controller-blind',
  class: 'stuck',
  severity: 'critical',
  subject: 'Lease',
  reads: [...CONTROLLER_KINDS, 'Namespace', 'Subnet', 'Vlan', 'IPPool'],
  about:
    "Kube-OVN's controller holds its Lease and has given no address to any of the newest pods, whose subnets have addresses left: it hears nothing of the API server or the Northbound, or is dead. Restart the pod that leads; what Kube-OVN has to finish, such as `delete-ip` and `reallocate-pod`, waits meanwhile.",

  check(lease, view) {
    const holder = holderOf(lease);
    if (!isControllerLease(lease) || holder === '') return healthy;
    if (!view.has(unservedPods, 'any') || !servesDefaultNetwork(view)) return healthy;
    const newest = view.talliedVerdict(servedPods, ALL_SERVED)?.newest ?? 0;
    const waiting = view
      .related(unservedPods, 'any', MOST)
      .filter((it) => minuteMade(it) > newest && mayBeServed(it, view))
      .sort((a, b) => minuteMade(a) - minuteMade(b) || compareValues(a.uid, b.uid));
    if (waiting.length < ENOUGH) return healthy;
    const since = waiting[0]!.object.metadata.creationTimestamp ?? '';
    return violation({
      summary: `Kube-OVN's controller (${holder}) holds Lease ${lease.namespace}/${lease.name} and serves no pod: ${waiting.length} wait for an address, the first since ${since}`,
      concerns: waiting.slice(0, ENOUGH),
      proof: [
        value(lease, 'spec.holderIdentity', holder),
        ...waiting.slice(0, ENOUGH).map((it) => present(it)),
        value(lease, 'pods that wait for an address', String(waiting.length)),
      ],
    });
  },
});

type Consulted = View<'Namespace' | 'Subnet' | 'Vlan' | 'IPPool'>;

/**
 * Whether nothing of the pod's own keeps it from an address: neither it nor its namespace requests
 * anything, and the first subnet of its namespace serves pods.
 */
function mayBeServed(pod: Entity<'Pod'>, view: Consulted): boolean {
  const { annotations = {} } = pod.object.metadata;
  if (Object.keys(annotations).some((it) => ASKS.some((part) => it.includes(part)))) return false;
  const namespace = view.get('Namespace', pod.namespace ?? '');
  if (!namespace || (namespace.object.metadata.annotations?.[POOL_ANNOTATION] ?? '') !== '')
    return false;
  const [name = ''] = subnetsOfNamespace(namespace);
  const subnet = view.get('Subnet', name);
  return subnet !== undefined && servesPods(subnet, view);
}

/**
 * Whether the controller was through with the Subnet, so that it has a switch, finds its Vlan, and
 * has addresses of it left that are of no pool: those of pools are among the counted, and nobody
 * but who names the pool is given one (pkg/controller/pod.go, reconcileAllocateSubnets and
 * acquireAddress; pkg/ipam/subnet.go, AddOrUpdateIPPool).
 */
function servesPods(subnet: Entity<'Subnet'>, view: Consulted): boolean {
  const { spec, status } = subnet.object;
  const isReady = status?.conditions?.some((it) => it.type === 'Ready' && it.status === 'True');
  if (isReady !== true || isBeingDeleted(subnet) || view.has(poolsBySubnet, subnet.name))
    return false;
  const { protocol = '', vlan = '' } = spec ?? {};
  if (vlan !== '' && view.presence('Vlan', vlan) !== 'present') return false;
  const { v4availableIPs: v4, v6availableIPs: v6 } = status ?? {};
  return (protocol === 'IPv6' || isSome(v4)) && (protocol === 'IPv4' || isSome(v6));
}

/** By which a namespace says from which pools its pods have their addresses. */
const POOL_ANNOTATION = 'ovn.kubernetes.io/ip_pool';

/**
 * Annotations by which a pod requests something of its own: Kube-OVN writes all of its own together
 * with the address, so on a pod that waits they are a person's, such as a Vip or a MAC address.
 */
const ASKS = ['k8s.v1.cni.cncf.io', 'ovn.kubernetes.io/', '.kubernetes.io/ip_', 'kubevirt.io'];

const isSome = (count: unknown): boolean => Number(count ?? 0) > 0;
