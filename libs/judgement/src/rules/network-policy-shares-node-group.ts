import { ascendingBy } from '@ovn-steward/shared/compare';
import { DEFAULT_VPC } from '@ovn-steward/shared/default-vpc';
import { nodeGroupHalves, nodeHalf, subnetHalf } from '../relations/node-group-halves';
import { ownersByRowName } from '../relations/owners-by-row-name';
import { policiesByPortGroup } from '../relations/policies-by-port-group';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { type Entity, keyOf } from '../world/entity';
import type { View } from '../rule-kit/view';
import type { Relation } from '../world/relation';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { vpcOfSubnet } from '../kube-ovn/vpc-of';
import { present } from '../rule-kit/facts';

/**
 * A NetworkPolicy whose port group is also that of a Node (`node.<node>`), or of a distributed
 * Subnet on a Node (`<subnet>.<node>`), since `-` becomes `.` in the name of a group.
 *
 * Kube-OVN lists the pods of the node in the one, and the pods of the policy in the other: each
 * writes its ports over the other's, so the policy is enforced on the wrong pods (kube-ovn.md §3.4,
 * row 69). Without the group nothing is shared.
 */
export default defineRule({
  id: 'network-policy-shares-node-group',
  class: 'drift',
  severity: 'warning',
  subject: 'NetworkPolicy',
  reads: ['Node', 'Subnet', 'Port_Group'],
  consults: ownersByRowName.kinds === 'ovn-nb' ? [] : ownersByRowName.kinds,
  about:
    'The name of a NetworkPolicy gives the port group in OVN that Kube-OVN also uses for a Node, or for a Subnet on a Node: the policy is enforced on the pods of that Node instead of its own, or on none. Create the policy again under another name. A restart does not help.',

  check(policy, view) {
    const group = policiesByPortGroup.keys(policy)[0]!;
    if (isBeingDeleted(policy) || view.presence('Port_Group', group) !== 'present') return healthy;
    const others = [...nodesOf(group, view), ...subnetsOnNodesOf(group, view)];
    if (others.length === 0) return healthy;
    return violation({
      summary: `NetworkPolicy ${keyOf(policy)} has one port group with ${others.map(({ kind, name }) => `${kind} ${name}`).join(' and ')} in OVN, ${group}: each writes its ports over the other's`,
      concerns: others,
      proof: [policy, ...others].map((it) => present(it)),
    });
  },
});

type Place = Entity<'Node' | 'Subnet'>;
type Related = typeof ownersByRowName extends Relation<infer K> ? K : never;
type Places = View<Related>;

/** The Nodes and Subnets among them that are not being deleted, by name. */
const living = (all: readonly Entity[]): readonly Place[] =>
  all
    .filter(
      (it): it is Place => (it.kind === 'Node' || it.kind === 'Subnet') && !isBeingDeleted(it),
    )
    .sort(ascendingBy((it) => it.name));

const nodesOf = (group: string, view: Places): readonly Place[] =>
  group.startsWith('node.')
    ? living(view.related(ownersByRowName, group)).filter(({ kind }) => kind === 'Node')
    : [];

/** The Subnet and the Node of each way to cut the name in two. */
function subnetsOnNodesOf(group: string, view: Places): readonly Place[] {
  for (let dot = group.indexOf('.'); dot > 0; dot = group.indexOf('.', dot + 1)) {
    const subnets = view.related(nodeGroupHalves, subnetHalf(group.slice(0, dot)));
    const [subnet] = living(subnets).filter(isDistributed);
    const [node] = living(view.related(nodeGroupHalves, nodeHalf(group.slice(dot + 1))));
    if (subnet && node) return [subnet, node];
  }
  return [];
}

/** Only for distributed subnets of the default VPC there is a group on each node. */
function isDistributed({ object }: Place): boolean {
  const { spec } = object as Entity<'Subnet'>['object'];
  return spec?.gatewayType === 'distributed' && vpcOfSubnet(spec) === DEFAULT_VPC;
}
