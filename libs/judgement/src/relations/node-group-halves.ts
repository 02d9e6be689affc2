import { flatten } from '../ownership/grammar/names';
import { defineRelation } from '../world/relation';

/**
 * Subnets and Nodes by their half of the name of the port group of a subnet on a node,
 * `<subnet>.<node>` (kube-ovn.md §3.4). `-` becomes `.` there, so two may have one half.
 */
export const nodeGroupHalves = defineRelation({
  id: 'node-group-halves',
  kinds: ['Subnet', 'Node'],
  keys: ({ kind, name }) => [
    kind === 'Subnet' ? subnetHalf(flatten(name)) : nodeHalf(flatten(name)),
  ],
});

export const subnetHalf = (flat: string): string => `${flat}/`;
export const nodeHalf = (flat: string): string => `/${flat}`;
