import { kubeOvnNetworks } from '../relations/kube-ovn-networks';
import { NODE_PORT, portsUp } from '../relations/ports-up';
import type { Cell } from './cell';
import { cell } from './cell';
import type { ReadableWorld } from './readable';

const FEW = 4;

/**
 * Why the database may be the network of another Kubernetes than the one it is judged by, as with the wrong kubeconfig beside it: then every pod, node and policy
 * seems gone. Undefined when a node whose port is up is known here, or nothing is up.
 */
export function mispairing(world: ReadableWorld, note: (cell: Cell) => void): string | undefined {
  const seen = (relation: { readonly id: string }): boolean => {
    note(cell.some(relation.id, 'any'));
    return world.hasRelated(relation.id, 'any');
  };
  if (!seen(portsUp)) return undefined;
  if (!seen(kubeOvnNetworks))
    return "chassis hold ports of Kube-OVN's up, yet this Kubernetes has no Vpc and no Subnet: it may be another one than the network's";
  note(cell.relation(portsUp.id, 'node'));
  const nodesUp = (limit?: number): string[] =>
    world.related(portsUp.id, 'node', limit).map((it) => it.name.slice(NODE_PORT.length));
  const isHere = (node: string): boolean => {
    note(cell.presence('Node', node));
    return world.hasKey('Node', node);
  };
  if (nodesUp(FEW).some(isHere)) return undefined; // as nearly always: it is asked for all that is garbage
  const nodes = nodesUp();
  if (nodes.length === 0 || nodes.some(isHere)) return undefined;
  return `chassis hold the ports of ${nodes.length} nodes up, none of which this Kubernetes has: it may be another one than the network's`;
}
