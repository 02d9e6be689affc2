import { ascendingBy } from '@ovn-steward/shared/compare';
import { gatewayNodes } from '../ownership/grammar/kube-ovn-keys';
import { natGatewaysByNetwork, ofSubnets } from '../relations/nat-gateways-by-network';
import { nodeGroupHalves, nodeHalf } from '../relations/node-group-halves';
import { policyClaimsByBlock } from '../relations/policy-claims-by-block';
import { blockText } from '../kube-ovn/cidr';
import type { Entity, Kind } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import { subnetsOnNode } from './subnet-on-node';
import type { View } from './view';

/** Objects Kube-OVN writes router policies for (kube-ovn.md §3.3). */
export const ROUTER_POLICY_OWNER_KINDS = [
  'Node',
  'Subnet',
  'VpcNatGateway',
  'VpcEgressGateway',
] as const satisfies readonly Kind[];
export type RouterPolicyOwnerKind = (typeof ROUTER_POLICY_OWNER_KINDS)[number];

const OWNER_OF: ReadonlyMap<string, RouterPolicyOwnerKind> = new Map([
  ['subnet', 'Subnet'],
  ['node', 'Node'],
  ['vpc-nat-gateway', 'VpcNatGateway'],
  ['vpc-egress-gateway', 'VpcEgressGateway'],
] as const);

/**
 * The objects a policy was made for, which all must exist for it to make sense; none when no key
 * names one.
 */
export function ownersOfPolicy(
  policy: Entity<'Logical_Router_Policy'>,
): readonly { readonly kind: RouterPolicyOwnerKind; readonly key: string }[] {
  const ids = policy.object.external_ids ?? {};
  return [...OWNER_OF].flatMap(([key, kind]) =>
    Object.hasOwn(ids, key) ? [{ kind, key: ids[key]! }] : [],
  );
}

/**
 * Whether the spec of the router's Vpc requests a policy of that priority and match. Kube-OVN takes
 * two such for one and overwrites the keys, so a policy of a user's may carry those of a subnet.
 */
export function isFromSpec(
  policy: Entity<'Logical_Router_Policy'>,
  view: View<'Logical_Router' | 'Vpc'>,
): boolean {
  return parentsOf(policy).some(({ uid }) => {
    const vpc = view.get('Vpc', view.byUid('Logical_Router', uid)?.name ?? '');
    return (
      vpc?.object.spec?.policyRoutes?.some(
        (it) => it['priority'] === policy.object.priority && it['match'] === policy.object.match,
      ) ?? false
    );
  });
}

/**
 * With several gateways a subnet's policy has this priority, and for each a key named after its
 * node, with the address (kube-ovn.md §3.3).
 */
const TO_GATEWAYS = 29000;

/** The gateways of such a policy of Kube-OVN's, by node; empty for any other. */
export function gatewaysOf(policy: Entity<'Logical_Router_Policy'>): ReadonlyMap<string, string> {
  const { external_ids: ids = {}, priority } = policy.object;
  const nodes =
    priority === TO_GATEWAYS && ids['vendor'] === 'kube-ovn' ? gatewayNodes(policy) : [];
  return new Map(nodes.map((it) => [it, ids[it]!]));
}

const BLOCK = '[0-9a-fA-F.:]+(?:/[0-9]+)?';

/**
 * What goes to one block or comes from it; what stays in it, or comes from the overlays of its VPC,
 * where an underlay is interconnected with these alone.
 */
const ONE_BLOCK = new RegExp(
  `^(?:ip[46]\\.src == (?:${BLOCK}|\\$\\S+\\.u2o_overlay_cidrs\\.ip[46]) && )?ip[46]\\.(?:src|dst) == (${BLOCK})$`,
);

/**
 * The policy of a subnet on a node, by the address set of the port group they share, or of a node,
 * by that of its own; to anywhere, or to one block.
 */
const ONE_GROUP = new RegExp(`^ip[46]\\.src == \\$(\\S+)_ip[46](?: && ip[46]\\.dst == ${BLOCK})?$`);

/**
 * The Subnets on a Node whose policy has this very match: both exist, and the names of two such
 * pairs may become one in OVN.
 */
export function groupClaimsOf(
  policy: Entity<'Logical_Router_Policy'>,
  view: View<'Subnet' | 'Node'>,
): readonly Entity<'Subnet'>[] {
  const group = ONE_GROUP.exec(policy.object.match ?? '')?.[1];
  return group === undefined ? [] : subnetsOnNode(group, view);
}

/** The Nodes whose own port group the match names: the names of two may become one in OVN. */
function nodesWithGroupOf(
  policy: Entity<'Logical_Router_Policy'>,
  view: View<'Subnet' | 'Node'>,
): readonly Entity<'Node'>[] {
  const group = ONE_GROUP.exec(policy.object.match ?? '')?.[1] ?? '';
  if (!group.startsWith(OF_NODE)) return [];
  const nodes = view.related(nodeGroupHalves, nodeHalf(group.slice(OF_NODE.length)));
  return [...(nodes as readonly Entity<'Node'>[])].sort(ascendingBy((it) => it.uid));
}

/** What the names of these groups begin with. */
const OF_NODE = 'node.';

/**
 * A Subnet or NAT gateway of the router's Vpc, or a Node, that exists and for which Kube-OVN writes
 * the very match of the policy. It takes two policies of one priority and match for one, so the
 * keys name only the last writer (kube-ovn.md §3.3). The priorities of NAT gateways are theirs alone.
 */
export function otherClaimOf(
  policy: Entity<'Logical_Router_Policy'>,
  view: View<'Logical_Router' | 'Subnet' | 'Node' | 'VpcNatGateway'>,
): Entity<'Subnet' | 'Node' | 'VpcNatGateway'> | undefined {
  const [owner] = [...groupClaimsOf(policy, view), ...nodesWithGroupOf(policy, view)];
  if (owner) return owner;
  const block = ONE_BLOCK.exec(policy.object.match ?? '')?.[1];
  if (block === undefined) return undefined;
  const routers = parentsOf(policy).flatMap(
    ({ uid }) => view.byUid('Logical_Router', uid)?.name ?? [],
  );
  const text = blockText(block);
  const isOfGateway = Object.hasOwn(policy.object.external_ids ?? {}, 'vpc-nat-gateway');
  return [
    ...(isOfGateway ? [] : [...routers, 'node']).flatMap((it) =>
      view.related(policyClaimsByBlock, `${it} ${text}`),
    ),
    ...routers.flatMap((it) => gatewaysOfBlock(it, text, view)),
  ].sort(ascendingBy((it) => it.uid))[0];
}

/** Those of the Vpc that serve the block; also one that names a Subnet of which nothing is known. */
const gatewaysOfBlock = (
  vpc: string,
  block: string,
  view: View<'Subnet' | 'VpcNatGateway'>,
): readonly Entity<'VpcNatGateway'>[] => [
  ...view.related(natGatewaysByNetwork, `${vpc} ${block}`),
  ...view.related(natGatewaysByNetwork, ofSubnets(vpc)).filter(({ object: { spec } }) =>
    (spec?.internalSubnets ?? []).some((name) => {
      const blocks = view.get('Subnet', name)?.object.spec?.cidrBlock?.split(',');
      return blocks?.some((each) => blockText(each) === block) ?? true;
    }),
  ),
];
