import { flatten } from '../ownership/grammar/names';
import { nodeGroupHalves, nodeHalf } from '../relations/node-group-halves';
import type { Entity } from '../world/entity';
import type { View } from './view';

/**
 * The node's half of the name of a port group of a Subnet on a Node that no key names, where no Node
 * has it; undefined of any other group. Kube-OVN makes one on each Node for an interconnected
 * underlay whose Services OVN does not balance (addPolicyRouteForU2ONoLoadBalancer,
 * pkg/controller/subnet.go, v1.13 to v1.17), and leaves it when the Node is deleted
 * (deletePolicyRouteForNode, pkg/controller/node.go).
 */
export function goneNodeHalf(row: Entity, view: View<'Subnet' | 'Node'>): string | undefined {
  if (row.kind !== 'Port_Group') return undefined;
  const { external_ids: ids = {} } = (row as Entity<'Port_Group'>).object;
  if (ids['u2o'] !== 'true' || !Object.hasOwn(ids, 'ls') || Object.hasOwn(ids, 'node'))
    return undefined;
  const subnet = `${flatten(ids['ls']!)}.`;
  const half = row.name.startsWith(subnet) ? row.name.slice(subnet.length) : '';
  return half === '' || view.has(nodeGroupHalves, nodeHalf(half)) ? undefined : half;
}
