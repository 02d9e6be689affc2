import { ascendingBy } from '@ovn-steward/shared/compare';
import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { isOlderRelease, type Release } from '../kube-ovn/release';
import { GATEWAY, natGatewayParts } from '../relations/nat-gateway-parts';
import type { Blocker, Deletable } from '../kube-ovn/deletion';
import { held } from '../kube-ovn/deletion';
import { type Entity, type Kind, keyOf } from '../world/entity';
import type { ControllerKind } from './controller';
import { controllerRelease } from './controller-release';
import type { View } from './view';
import { absent, unclaimed } from './facts';

/** What a rule about a NAT gateway reads. */
export const GATEWAY_KINDS = [
  'VpcNatGateway',
  'Pod',
  'StatefulSet',
  'Deployment',
] as const satisfies readonly Kind[];
/** The kinds of rules that a gateway carries out. */
export type GatewayRuleKind = 'IptablesFIPRule' | 'IptablesSnatRule' | 'IptablesDnatRule';

type Consulted = View<(typeof GATEWAY_KINDS)[number]>;

const DEFAULT_NAMESPACE = 'kube-system';

/**
 * The first release whose deletions ask whether the VpcNatGateway exists: they wait for a pod of it
 * that does not exist, and for none of a gateway that is gone. Those before take a pod that does
 * not exist for clean, and wait only for one that does not run (pkg/controller/vpc_nat_gw_nat.go,
 * deleteSnatInPod and its like, natGwDeleted and getNatGwPod).
 */
export const CHECKS_GATEWAY_SINCE: Release = [1, 16, 2];

/** Where the gateway is searched when it does not say, and what is inside its pod. */
interface Inside {
  readonly namespace?: string | undefined;
  /**
   * A limit of its traffic by a QoSPolicy that exists: no release takes that for gone with the pod,
   * and those before `ASKS_GATEWAY` not with the gateway either (delEipQoSInPod).
   */
  readonly hasLimit?: boolean;
}

/**
 * Why something inside a NAT gateway's pod is not deleted: the controller removes it there, and the
 * pod does not exist, or does not run (kube-ovn.md §6.6, row 58).
 */
export function gatewayBlockers(
  gateway: string,
  view: Consulted & View<ControllerKind>,
  { namespace = DEFAULT_NAMESPACE, hasLimit = false }: Inside = {},
): Blocker[] {
  if (gateway === '') return [];
  const release = controllerRelease(view);
  const asksGateway = release !== undefined && !isOlderRelease(release, CHECKS_GATEWAY_SINCE);
  const found = view.get('VpcNatGateway', gateway);
  if (!found) {
    if (asksGateway) return [];
    const left = view.related(natGatewayParts, gateway);
    return hasLimit && left.length === 0 && limitOutlivesGateway(release)
      ? [{ because: limitKeeps(gateway) }]
      : held(`its gateway ${gateway} is gone, but not what ran it`, left);
  }
  const at = found.object.spec?.namespace || namespace || DEFAULT_NAMESPACE;
  // The gateway is a StatefulSet of that name; several replicas are a Deployment, whose pods cannot
  // be named.
  const pod = `vpc-nat-gw-${gateway}-0`;
  const parts = view
    .related(natGatewayParts, gateway)
    .filter((it): it is Entity<'Pod'> => it.kind === 'Pod' && it.namespace === at);
  const idle = idlePod(parts, gateway);
  if (idle)
    return [
      {
        because: `pod ${keyOf(idle)} of gateway ${gateway}, to remove it from, is ${idle.object.status!.phase}`,
        by: idle,
        remedy: `bring pod ${keyOf(idle)} up, or delete VpcNatGateway ${gateway}`,
      },
    ];
  const isSeveral = (found.object.spec?.replicas ?? 1) > 1;
  if (parts.length > 0 || isSeveral || view.presence('Pod', `${at}/${pod}`) !== 'absent') return [];
  if (release && !asksGateway && !hasLimit) return [];
  return [
    {
      because: `gateway ${gateway} has no pod ${pod} in ${at} to remove it from`,
      by: found,
      remedy: `bring pod ${at}/${pod} up, or delete VpcNatGateway ${gateway}`,
    },
  ];
}

/** Whether a limit cannot be lifted any more once the gateway is gone. */
export const limitOutlivesGateway = (release: Release | undefined): boolean =>
  release !== undefined && isOlderRelease(release, CHECKS_GATEWAY_SINCE);

const limitKeeps = (gateway: string): string =>
  `its gateway ${gateway} is gone, and the controller wants a pod of it to lift the limit of the traffic, also after a restart`;

/** A pod that is the gateway's for certain, where none of these runs. */
function idlePod(pods: readonly Entity<'Pod'>[], gateway: string): Entity<'Pod'> | undefined {
  const its = pods
    .filter(
      ({ name, object: { metadata } }) =>
        name === `vpc-nat-gw-${gateway}-0` || metadata.annotations?.[GATEWAY] === gateway,
    )
    .sort(ascendingBy((it) => it.name));
  const phases = its.map(({ object }) => object.status?.phase ?? '');
  return phases.some((it) => it === '' || it === 'Running') ? undefined : its[0];
}

/**
 * Proves that there is no gateway of that name and nothing that ran it: with the pod, all that was
 * inside it is deleted. Undefined while there is.
 */
export function gatewayIsGone(gateway: string, view: Consulted): readonly Fact[] | undefined {
  if (
    gateway === '' ||
    view.presence('VpcNatGateway', gateway) !== 'absent' ||
    view.has(natGatewayParts, gateway)
  )
    return undefined;
  return [
    absent('VpcNatGateway', gateway),
    unclaimed('Pod', 'metadata.name', `vpc-nat-gw-${gateway}`),
  ];
}

/**
 * The gateway a rule of it was given to: as its status says, or the label that the controller
 * keeps.
 */
export const gatewayOf = ({
  object,
}: Deletable & { readonly object: { readonly status?: { readonly natGwDp?: string } } }): string =>
  object.status?.natGwDp || object.metadata.labels?.['ovn.kubernetes.io/vpc-nat-gw-name'] || '';
