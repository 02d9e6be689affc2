import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { natGatewayParts } from '../relations/nat-gateway-parts';
import type { Blocker, Deletable } from '../kube-ovn/deletion';
import { held } from '../kube-ovn/deletion';
import type { Kind } from '../world/entity';
import type { View } from './view';
import { absent, unclaimed } from './facts';

/** What a rule about a NAT gateway reads. */
export const GATEWAY_KINDS = [
  'VpcNatGateway',
  'Pod',
  'StatefulSet',
  'Deployment',
] as const satisfies readonly Kind[];
type Consulted = View<(typeof GATEWAY_KINDS)[number]>;

const DEFAULT_NAMESPACE = 'kube-system';

/**
 * Why something inside a NAT gateway's pod is not deleted: the controller removes it there, and the
 * pod does not exist (kube-ovn.md §6.6, row 58).
 * @param namespace where the gateway is searched when it does not say.
 */
export function gatewayBlockers(
  gateway: string,
  view: Consulted,
  namespace = DEFAULT_NAMESPACE,
): Blocker[] {
  const found = gateway === '' ? undefined : view.get('VpcNatGateway', gateway);
  if (!found)
    return gateway === ''
      ? []
      : held(
          `its gateway ${gateway} is gone, but not what ran it`,
          view.related(natGatewayParts, gateway),
        );
  const at = found.object.spec?.namespace || namespace || DEFAULT_NAMESPACE;
  // The gateway is a StatefulSet of that name; several replicas are a Deployment, whose pods cannot
  // be named.
  const pod = `vpc-nat-gw-${gateway}-0`;
  const runs = view
    .related(natGatewayParts, gateway)
    .some((it) => it.kind === 'Pod' && it.namespace === at);
  if (
    runs ||
    (found.object.spec?.replicas ?? 1) > 1 ||
    view.presence('Pod', `${at}/${pod}`) !== 'absent'
  )
    return [];
  return [
    {
      because: `gateway ${gateway} has no pod ${pod} in ${at} to remove it from`,
      by: found,
      remedy: `bring pod ${at}/${pod} up, or delete VpcNatGateway ${gateway}`,
    },
  ];
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
