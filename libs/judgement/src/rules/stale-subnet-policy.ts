import { blockText, tryParseCidr } from '../kube-ovn/cidr';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { hasPhysicalGateway } from '../kube-ovn/physical-gateway';
import { vpcOfSubnet } from '../kube-ovn/vpc-of';
import { policyClaimsByBlock } from '../relations/policy-claims-by-block';
import { routerPoliciesByRule } from '../relations/router-policies-by-rule';
import { routersByName } from '../relations/routers-by-name';
import { rowsBySubnet } from '../relations/rows-by-subnet';
import { present, unchanged, value } from '../rule-kit/facts';
import { isFromSpec } from '../rule-kit/router-policies';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';

/**
 * What goes to the subnet stays inside, to one that is interconnected too; what comes from it leaves
 * by its gateway (kube-ovn.md §3.3).
 */
const [TO_SUBNET, TO_INTERCONNECTED, TO_GATEWAY] = [31_000, 29_400, 29_000] as const;
const INTERCONNECTION = 'isU2ORoutePolicy';

/** By priority, the one block that the match of such a policy names. */
const BLOCK: ReadonlyMap<number, RegExp> = new Map([
  [TO_SUBNET, /^ip[46]\.dst == ([0-9a-fA-F.:]+\/[0-9]+)$/],
  [TO_INTERCONNECTED, /^ip[46]\.dst == ([0-9a-fA-F.:]+\/[0-9]+)$/],
  [TO_GATEWAY, /^ip[46]\.src == ([0-9a-fA-F.:]+\/[0-9]+)$/],
]);

/** Of what leaves by the gateway of its own node: the set is of the subnet's ports there. */
const BY_NODE = /^ip[46]\.src == \$[A-Za-z0-9_.]+_ip[46]$/;

type Policy = Entity<'Logical_Router_Policy'>;
type Consulted = View<
  | 'Subnet'
  | 'Vpc'
  | 'Logical_Router'
  | 'Logical_Router_Port'
  | 'Logical_Router_Policy'
  | 'Node'
  | 'DHCP_Options'
>;

/**
 * A policy that Kube-OVN made for what a Subnet once was, and the Subnet has what it is now.
 *
 * When a Subnet changes, the controller looks for its former policies on the router of the default
 * VPC alone, of the families that the Subnet has now (`reconcilePolicyRouteForCidrChangedSubnet`,
 * pkg/controller/subnet.go), and for that of a centralized gateway only where a node is named
 * (`reconcileOvnDefaultVpcRoute`; from v1.15 on they may be selected); so in v1.12 to v1.17. On the
 * routers of other VPCs a reconcile of the Vpc spares what has the key `subnet`. Those of an
 * interconnection it looks for on the router of the VPC that the Subnet is in by then
 * (`deletePolicyRouteForU2OInterconn`), so that only the VPC is compared for them. Where an underlay
 * loses its logical gateway, none are looked for (seen beside v1.15.24). That the controller has
 * handled the Subnet as it is now is shown by the policies it made for that, or the port it removed.
 */
export default defineRule({
  id: 'stale-subnet-policy',
  class: 'drift',
  severity: 'warning',
  subject: 'Logical_Router_Policy',
  reads: ['Subnet', 'Vpc', 'Logical_Router', 'Logical_Router_Port', 'Node', 'DHCP_Options'],
  about:
    'A router policy that an existing Subnet no longer asks for: for a block that it had, on the router of the VPC that it was in, of a centralized gateway though its gateway is distributed, or of a logical gateway that its underlay has no more. It directs traffic by what the Subnet once was. A restart of the controller removes few of them; check that nothing needs it, and delete it by its priority and match.',

  check(policy, view) {
    const made = madeOf(policy, view);
    if (!made) return healthy;
    const { subnet, vpc, block } = made;
    const { priority = 0, match = '', external_ids: ids = {} } = policy.object;
    const why = Object.hasOwn(ids, INTERCONNECTION) ? whyLeft(made) : whyStale(made, view);
    // Kube-OVN takes two policies of one priority and match for one: the keys name the last writer.
    const isOfAnother =
      block !== undefined &&
      view.related(policyClaimsByBlock, `${vpc.name} ${block}`).some((it) => it.uid !== subnet.uid);
    const owner = why && !isOfAnother ? view.ownership(policy) : undefined;
    if (!why || owner?.owner !== 'kube-ovn') return healthy;
    const spec = subnet.object.spec!;
    return violation({
      summary: `router policy ${priority} "${match}" on ${vpc.name} was made for Subnet ${subnet.name}, which ${why}`,
      owner,
      concerns: [subnet],
      proof: [
        present(subnet),
        present(vpc),
        ...(['vpc', 'cidrBlock', 'gatewayType', 'vlan'] as const).map((it) =>
          value(subnet, `spec.${it}`, spec[it] ?? ''),
        ),
        value(policy, 'external_ids', JSON.stringify(ids)),
        value(policy, 'match', match),
        unchanged(policy),
      ],
    });
  },
});

interface Made {
  readonly subnet: Entity<'Subnet'>;
  /** That of the router. */
  readonly vpc: Entity<'Vpc'>;
  readonly priority: number;
  /** That it is of; undefined where it is of what is on one node. */
  readonly block: string | undefined;
}

/** For what it was made, where Subnet and Vpc are there and the spec of the Vpc asks for no such. */
function madeOf(policy: Policy, view: Consulted): Made | undefined {
  const { priority = 0, match = '', external_ids: ids = {} } = policy.object;
  const found = BLOCK.get(priority)?.exec(match)?.[1];
  const isByNode = priority === TO_GATEWAY && 'node' in ids && BY_NODE.test(match);
  const block = tryParseCidr(found ?? '') && blockText(found!);
  const [parent, second] = parentsOf(policy);
  if (ids['vendor'] !== 'kube-ovn' || !(block ?? isByNode) || !parent || second) return undefined;
  const subnet = view.get('Subnet', ids['subnet'] ?? '');
  const vpc = view.get('Vpc', view.identity('Logical_Router', parent.uid)?.name ?? '');
  if (!subnet || !vpc || isBeingDeleted(subnet) || isBeingDeleted(vpc)) return undefined;
  return isFromSpec(policy, view) ? undefined : { subnet, vpc, priority, block };
}

/** The same of a policy of its interconnection: the status names the VPC that this is with now. */
function whyLeft({ subnet, vpc }: Made): string | undefined {
  const { spec, status } = subnet.object;
  const own = vpcOfSubnet(spec);
  const isHandled = spec?.u2oInterconnection === true && status?.u2oInterconnectionVPC === own;
  return isHandled && own !== vpc.name ? `is in Vpc ${own} now` : undefined;
}

/** What the Subnet is now; undefined where it may ask for the policy, or was not handled yet. */
function whyStale(made: Made, view: Consulted): string | undefined {
  const { subnet, vpc, priority, block } = made;
  const { spec } = subnet.object;
  if (lostLogicalGateway(made, view)) return 'has no logical gateway any more';
  if (block === undefined) return undefined;
  const blocks = (spec?.cidrBlock ?? '').split(',');
  if (priority === TO_INTERCONNECTED || !blocks.every((it) => tryParseCidr(it))) return undefined;
  const own = vpcOfSubnet(spec);
  if (own !== vpc.name) return isHandled(own, blocks, view) ? `is in Vpc ${own} now` : undefined;
  if (!blocks.map(blockText).includes(block))
    return isHandled(own, blocks, view) ? `has ${blocks.join(' and ')} now` : undefined;
  const isDistributed = vpc.object.status?.default === true && spec?.gatewayType === 'distributed';
  return priority === TO_GATEWAY && isDistributed && leavesByNodes(subnet, view)
    ? 'has a distributed gateway now'
    : undefined;
}

/** Whether its gateway is outside, as the controller has taken up. */
function lostLogicalGateway({ subnet, vpc }: Made, view: Consulted): boolean {
  const { spec, status } = subnet.object;
  const isOfDefault = vpc.object.status?.default === true && vpcOfSubnet(spec) === vpc.name;
  if (!isOfDefault || !hasPhysicalGateway(subnet)) return false;
  if (spec?.u2oInterconnection !== true)
    return view.presence('Logical_Router_Port', `${vpc.name}-${subnet.name}`) === 'absent';
  return (
    status?.u2oInterconnectionVPC === vpc.name &&
    view
      .related(rowsBySubnet, subnet.name)
      .some(({ object }) => Object.hasOwn(object.external_ids ?? {}, INTERCONNECTION))
  );
}

/** Whether what goes to the blocks is allowed on the router of the VPC, each as it is now. */
const isHandled = (vpc: string, blocks: readonly string[], view: Consulted): boolean =>
  view
    .related(routersByName, vpc)
    .some(({ uid }) =>
      blocks.every((block) =>
        view.has(
          routerPoliciesByRule,
          `${uid} ${TO_SUBNET} ip${block.includes(':') ? 6 : 4}.dst == ${block}`,
        ),
      ),
    );

/** Whether pods of the subnet are sent out by their own node, as with a distributed gateway. */
const leavesByNodes = (subnet: Entity<'Subnet'>, view: Consulted): boolean =>
  view.related(rowsBySubnet, subnet.name).some((row) => {
    const { priority, external_ids: ids = {} } = (row as Policy).object;
    return row.kind === 'Logical_Router_Policy' && priority === TO_GATEWAY && 'node' in ids;
  });
