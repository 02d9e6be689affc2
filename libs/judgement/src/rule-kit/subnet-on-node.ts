import { ascendingBy } from '@ovn-steward/shared/compare';
import { nodeGroupHalves, nodeHalf, subnetHalf } from '../relations/node-group-halves';
import type { Entity } from '../world/entity';
import type { View } from './view';

/**
 * The Subnets that exist and share a port group of this name with a Node that exists, in order: one
 * group may be that of several, whatever its keys say (kube-ovn.md §3.4).
 */
export function subnetsOnNode(
  group: string,
  view: View<'Subnet' | 'Node'>,
): readonly Entity<'Subnet'>[] {
  const found: Entity<'Subnet'>[] = [];
  for (let dot = group.indexOf('.'); dot > 0; dot = group.indexOf('.', dot + 1)) {
    if (!view.has(nodeGroupHalves, nodeHalf(group.slice(dot + 1)))) continue;
    const subnets = view.related(nodeGroupHalves, subnetHalf(group.slice(0, dot)));
    found.push(...(subnets as readonly Entity<'Subnet'>[]));
  }
  return found.sort(ascendingBy((it) => it.uid));
}
