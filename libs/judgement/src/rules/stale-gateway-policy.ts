import { ascendingBy } from '@ovn-steward/shared/compare';
import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { formatIp, type Ip, tryParseIp } from '@ovn-steward/shared/address';
import { blocksAround } from '../kube-ovn/blocks-around';
import { isAlive } from '../kube-ovn/pod-networks';
import { GATEWAY_ANNOTATIONS, gatewayPodsByAddress } from '../relations/gateway-pods-by-address';
import { NORTH_GATEWAY_PRIORITY, sourceOf } from '../relations/gateway-policies';
import { type HolderKind, isPendingHolder } from '../kube-ovn/address-holders';
import { holdersByAddress } from '../relations/holders-by-address';
import { policyClaimsByBlock } from '../relations/policy-claims-by-block';
import { present, unchanged, unclaimed, value } from '../rule-kit/facts';
import { FREE_ADDRESS_KINDS, freeIn, isFree } from '../rule-kit/free-address';
import { isFromSpec } from '../rule-kit/router-policies';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { type Entity, keyOf } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';

/**
 * A router policy that Kube-OVN made for a pod with a gateway or an external address of its own,
 * whose source nobody has, or only pods that ask for neither.
 *
 * It goes when the controller handles the deletion of the pod and, from the router of the default
 * VPC, at each start (kube-ovn.md §4.10, row 52; so in v1.13 to v1.17, v1.12 had a static route).
 * One of a pod that was deleted while the controller was away sends what the next holder of the
 * address sends by the former gateway.
 */
export default defineRule({
  id: 'stale-gateway-policy',
  class: 'drift',
  severity: 'warning',
  subject: 'Logical_Router_Policy',
  reads: [...FREE_ADDRESS_KINDS, 'Vpc', 'Logical_Router'],
  about:
    'A router policy of a pod with a gateway or an external address of its own, though no pod with that address asks for one any more: whatever has the address sends its traffic to the former gateway. A restart of the controller removes the policy of a router of the default VPC; else delete it by its priority and match.',

  check(policy, view) {
    const { priority, match = '', external_ids: ids = {} } = policy.object;
    const source = tryParseIp(sourceOf(match) ?? '');
    const [parent, second] = parentsOf(policy);
    if (priority !== NORTH_GATEWAY_PRIORITY || !source || !parent || second) return healthy;
    const router = view.identity('Logical_Router', parent.uid)?.name ?? '';
    if (view.presence('Vpc', router) !== 'present' || isFromSpec(policy, view)) return healthy;
    // Two pods may have one address, as where the record of the first was deleted.
    if (view.has(gatewayPodsByAddress, formatIp(source))) return healthy;
    const owner = view.ownership(policy);
    const why = owner.verdict === 'candidate' ? whyNobody(source, router, view) : undefined;
    if (!why) return healthy;
    return violation({
      summary: `router policy ${priority} "${match}" on ${router} still sends traffic of ${formatIp(source)} to the gateway that a former pod asked for; ${why.text}`,
      owner,
      concerns: why.pods,
      proof: [
        ...why.facts,
        unclaimed('Pod', 'address, with a gateway of its own', formatIp(source)),
        value(policy, 'external_ids', JSON.stringify(ids)),
        value(policy, 'match', match),
        unchanged(policy),
      ],
    });
  },
});

interface Reason {
  readonly text: string;
  readonly pods: readonly Entity<'Pod'>[];
  readonly facts: readonly Fact[];
}

/** Why nobody with the address has a gateway of its own; undefined where somebody may. */
function whyNobody(
  source: Ip,
  router: string,
  view: View<(typeof FREE_ADDRESS_KINDS)[number] | 'Pod'>,
): Reason | undefined {
  const free = freeIn(source, router, view);
  if (free)
    return {
      text: `no record and no port has that address of subnet ${free.name}`,
      pods: [],
      facts: isFree(source, free),
    };
  const pods = blocksAround(source)
    .flatMap((it) => view.related(policyClaimsByBlock, `${router} ${it}`))
    .flatMap((it) => view.related(holdersByAddress, `${it.name} ${formatIp(source)}`))
    .filter((it) => !isPendingHolder(it as Entity<HolderKind>))
    .map((it) => (it.kind === 'IP' ? podOf(it as Entity<'IP'>, view) : undefined));
  const askNot = pods.flatMap((it) => (it && isAlive(it) && !asksForGateway(it) ? [it] : []));
  if (askNot.length === 0 || askNot.length < pods.length) return undefined;
  const named = [...new Set(askNot)].sort(ascendingBy(keyOf));
  return {
    text:
      named.length === 1
        ? `pod ${keyOf(named[0]!)}, which has that address now, asks for no gateway of its own`
        : `pods ${named.map(keyOf).join(' and ')}, which have that address now, ask for no gateway of their own`,
    pods: named,
    facts: named.flatMap((pod) => [
      present(pod),
      ...GATEWAY_ANNOTATIONS.map((it) => value(pod, `metadata.annotations[${it}]`, '')),
    ]),
  };
}

const podOf = ({ object: { spec } }: Entity<'IP'>, view: View<'Pod'>): Entity<'Pod'> | undefined =>
  view.get('Pod', `${spec?.namespace ?? ''}/${spec?.podName ?? ''}`);

const asksForGateway = ({ object: { metadata } }: Entity<'Pod'>): boolean =>
  GATEWAY_ANNOTATIONS.some((it) => (metadata.annotations?.[it] ?? '') !== '');
