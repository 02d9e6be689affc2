import { chassisOf, isKubeOvnChassis } from '../kube-ovn/chassis';
import { chassisByHost } from '../relations/chassis-by-host';
import { nodesByChassis } from '../relations/nodes-by-chassis';
import type { Entity } from '../world/entity';
import type { View } from './view';

type Asked = View<'Chassis' | 'Node'>;

/**
 * The chassis of a node: those of the name that Kube-OVN wrote on it, and those that say they are
 * on that host.
 */
export function chassisOfNode(node: Entity<'Node'>, view: View<'Chassis'>): Entity<'Chassis'>[] {
  const named = chassisOf(node);
  const all = new Set([
    ...(named === '' ? [] : [view.get('Chassis', named)]),
    ...view.related(chassisByHost, node.name),
  ]);
  return [...all].filter((it) => it !== undefined);
}

/** The node whose chassis it is, by either; undefined where there is none, or several claim it. */
export function nodeOfChassis(chassis: Entity<'Chassis'>, view: Asked): Entity<'Node'> | undefined {
  const host = chassis.object.hostname ?? '';
  const all = new Set([
    ...view.related(nodesByChassis, chassis.name),
    ...(host === '' ? [] : [view.get('Node', host)]),
  ]);
  const nodes = [...all].filter((it) => it !== undefined);
  return nodes.length === 1 ? nodes[0] : undefined;
}

/**
 * Whether the chassis was that of a deleted node: Kube-OVN tags the chassis of nodes and no other,
 * and no Node has this name or names it.
 */
export const isOfMissingNode = (chassis: Entity<'Chassis'>, view: Asked): boolean =>
  isKubeOvnChassis(chassis) &&
  !!chassis.object.hostname &&
  chassis.name !== '' &&
  view.presence('Node', chassis.object.hostname) === 'absent' &&
  !view.has(nodesByChassis, chassis.name);

/** Whether the node says that it is ready. */
export const isReady = ({ object: { status } }: Entity<'Node'>): boolean =>
  (status?.conditions ?? []).some((it) => it.type === 'Ready' && it.status === 'True');
