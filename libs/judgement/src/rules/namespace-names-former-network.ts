import { tryParseIp } from '@ovn-steward/shared/address';
import { DEFAULT_VPC } from '@ovn-steward/shared/default-vpc';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { namesIn, SUBNET_ANNOTATION, subnetsOfNamespace } from '../kube-ovn/namespace-subnets';
import { vpcOfSubnet } from '../kube-ovn/vpc-of';
import { kubeOvnNetworks } from '../relations/kube-ovn-networks';
import { absent, present, unchanged, value } from '../rule-kit/facts';
import { defineRule, healthy, violation, type Violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';

const POOL_ANNOTATION = 'ovn.kubernetes.io/ip_pool';

/**
 * A namespace on which Kube-OVN wrote a Subnet or an IPPool that does not exist any more, or one that
 * is not for the namespace.
 *
 * When a pool goes, the controller writes only namespaces again that name it alone, and from v1.15 on
 * it does so while the pool, with its finalizer, is still listed (`handleDeleteIPPool`,
 * pkg/controller/ippool.go); when one loses a namespace, only those that it still has
 * (`handleAddOrUpdateIPPool`). When a Vpc loses one, it writes none, unless the default subnet of the
 * Vpc changes (`handleUpdateVpcStatus`, pkg/controller/vpc.go), nor when a Subnet goes whose switch was
 * gone before (`handleDeleteLogicalSwitch`, pkg/controller/subnet.go); so in v1.12 to v1.17. A new pod
 * of the namespace then fails at what is missing, though there be others (`getPodDefaultSubnet` and
 * `acquireAddress`, pkg/controller/pod.go). Whose a Subnet of the default VPC is, is not asked: it may
 * be what namespaces without one are given (`handleAddNamespace`, pkg/controller/namespace.go).
 */
export default defineRule({
  id: 'namespace-names-former-network',
  class: 'drift',
  severity: 'warning',
  subject: 'Namespace',
  reads: ['Subnet', 'Vpc'],
  consults: ['IPPool'],
  about:
    'The annotations of a namespace name a Subnet or IPPool that does not exist, so that its new pods get no address, or a pool, or Subnet of a custom VPC, that is not for the namespace any more, from which they still get theirs. A restart of the controller writes them again. So it does when you remove the annotation `ovn.kubernetes.io/logical_switch` of the namespace.',

  check(namespace, view) {
    if (isBeingDeleted(namespace)) return healthy;
    // Without a network Kube-OVN was uninstalled: new pods get their addresses elsewhere.
    if (!view.has(kubeOvnNetworks, 'any')) return healthy;
    const subnets = [...new Set(subnetsOfNamespace(namespace))].flatMap((name): Violation[] => {
      if (view.presence('Subnet', name) === 'absent') return [missing(namespace, 'Subnet', name)];
      const subnet = view.get('Subnet', name);
      const vpc = subnet && vpcNotFor(namespace.name, subnet, view);
      return subnet && vpc ? [leftVpc(namespace, subnet, vpc)] : [];
    });
    const pools = [...new Set(poolsOf(namespace))].flatMap((name): Violation[] => {
      if (view.presence('IPPool', name) === 'absent') return [missing(namespace, 'IPPool', name)];
      const pool = view.knows('IPPool') ? view.get('IPPool', name) : undefined;
      return pool && !isListedIn(pool, namespace.name) ? [unlisted(namespace, pool)] : [];
    });
    return violation(...subnets, ...pools);
  },
});

/** A person may write addresses there, as on a pod: those are no names. */
const poolsOf = (namespace: Entity<'Namespace'>): string[] =>
  namesIn(namespace.object.metadata.annotations?.[POOL_ANNOTATION])
    .map((it) => it.trim())
    .filter((it) => /^[a-z0-9][a-z0-9.-]*$/.test(it) && !it.includes('..') && !tryParseIp(it));

const isListedIn = (pool: Entity<'IPPool'>, namespace: string): boolean =>
  isBeingDeleted(pool) || pool.object.spec?.namespaces?.includes(namespace) === true;

/** The custom VPC of the Subnet, where neither of the two is for the namespace. */
function vpcNotFor(
  namespace: string,
  { object: { spec, metadata } }: Entity<'Subnet'>,
  view: View<'Vpc'>,
): Entity<'Vpc'> | undefined {
  const vpc = view.get('Vpc', vpcOfSubnet(spec));
  if (!vpc || isBeingDeleted(vpc) || metadata.deletionTimestamp !== undefined) return undefined;
  if (vpc.name === DEFAULT_VPC || vpc.object.status?.default !== false) return undefined;
  const isFor =
    spec?.default === true ||
    (spec?.namespaceSelectors ?? []).length > 0 ||
    [spec, vpc.object.spec].some((it) => it?.namespaces?.includes(namespace) === true);
  return isFor ? undefined : vpc;
}

const ANNOTATION = { Subnet: SUBNET_ANNOTATION, IPPool: POOL_ANNOTATION } as const;

const annotationFact = (namespace: Entity<'Namespace'>, kind: keyof typeof ANNOTATION) =>
  value(
    namespace,
    `metadata.annotations[${ANNOTATION[kind]}]`,
    namespace.object.metadata.annotations?.[ANNOTATION[kind]] ?? '',
  );

const missing = (
  namespace: Entity<'Namespace'>,
  kind: keyof typeof ANNOTATION,
  name: string,
): Violation => ({
  summary: `namespace ${namespace.name} names ${kind} ${name}, which does not exist: its new pods get no address`,
  part: { column: ANNOTATION[kind], key: name },
  proof: [absent(kind, name), annotationFact(namespace, kind), unchanged(namespace)],
});

const unlisted = (namespace: Entity<'Namespace'>, pool: Entity<'IPPool'>): Violation => ({
  summary: `namespace ${namespace.name} names IPPool ${pool.name}, which does not list it: its new pods still get addresses of the pool`,
  part: { column: POOL_ANNOTATION, key: pool.name },
  concerns: [pool],
  proof: [
    present(pool),
    value(pool, 'spec.namespaces', (pool.object.spec?.namespaces ?? []).join(', ')),
    annotationFact(namespace, 'IPPool'),
    unchanged(namespace),
  ],
});

const leftVpc = (
  namespace: Entity<'Namespace'>,
  subnet: Entity<'Subnet'>,
  vpc: Entity<'Vpc'>,
): Violation => ({
  summary: `namespace ${namespace.name} names Subnet ${subnet.name} of Vpc ${vpc.name}, neither of which lists it: its new pods still get addresses of the Subnet`,
  part: { column: SUBNET_ANNOTATION, key: subnet.name },
  concerns: [subnet, vpc],
  proof: [
    ...[subnet, vpc].flatMap((each) => [
      present(each),
      value(each, 'spec.namespaces', (each.object.spec?.namespaces ?? []).join(', ')),
    ]),
    annotationFact(namespace, 'Subnet'),
    unchanged(namespace),
  ],
});
