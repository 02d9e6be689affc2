import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { portsUp } from '../relations/ports-up';
import { type Entity, type Kind, referenceTo } from '../world/entity';
import {
  type ControllerKind,
  CONTROLLER_KINDS,
  controllerGone,
  controllerIsGone,
} from './controller';
import { absent, unchanged, value } from './facts';
import { healthy, unknown, type Verdict, violation } from './rule';
import type { View } from './view';

/** What a rule about a switch or a router without its object reads. */
export const NETWORK_KINDS = [
  'Logical_Switch_Port',
  ...CONTROLLER_KINDS,
] as const satisfies readonly Kind[];

/** What differs between a switch and a router. */
export interface OrphanedNetwork {
  /** The kind of the object of its name. */
  readonly of: 'Subnet' | 'Vpc';
  readonly title: 'switch' | 'router';
  /** Whether that object exists. */
  readonly exists: () => boolean;
  readonly action: string;
  /** What is removed with it. */
  readonly with: string;
  /** What shows that it may still be used; undefined for nothing. Called last. */
  readonly use: () => string | undefined;
  /** What a proof states of that, where it is a fact of its own. */
  readonly unused?: readonly Fact[];
}

/**
 * The verdict on a switch or a router whose object no longer exists, in a cluster from which
 * Kube-OVN was removed (kube-ovn.md §7.4). Where a controller runs, it is the controller's to
 * remove.
 */
export function orphanedNetwork(
  row: Entity<'Logical_Switch'> | Entity<'Logical_Router'>,
  { of, title, exists, action, with: parts, use, unused = [] }: OrphanedNetwork,
  view: View<'Logical_Switch_Port' | ControllerKind>,
): Verdict {
  const { name } = row;
  if (name === '' || exists() || !controllerIsGone(view)) return healthy;
  const owner = view.ownership(row);
  if (owner.verdict !== 'candidate') return healthy;
  if (view.has(portsUp, 'any'))
    return unknown(
      `${of} ${name} no longer exists and no controller runs, yet chassis hold ports of Kube-OVN up: the network is still in use`,
    );
  const used = use();
  if (used !== undefined) return unknown(`${of} ${name} no longer exists, yet ${used}`);
  return violation({
    summary: `${title} ${name} is of ${of} ${name}, which no longer exists, and no Kube-OVN controller is left to remove it`,
    owner,
    proof: [
      absent(of, name),
      ...controllerGone,
      ...unused,
      value(row, 'external_ids', JSON.stringify(row.object.external_ids)),
      unchanged(row),
    ],
    remedy: {
      action,
      target: referenceTo(row),
      advice: `remove ${title} ${name} with ${parts}`,
    },
  });
}
