import {
  ALL,
  pairingEvidence,
  type PairingEvidence,
  verdictOn,
} from '../../tallies/pairing-evidence';
import { type Cell, cell, someOf } from '../cell';
import type { ReadableWorld } from '../readable';
import type { PairingCounts, PairingVerdict } from './decide';

/** Whether the Kubernetes is the one of the Northbound, and on how much that rests. */
export interface Pairing extends PairingVerdict, PairingCounts {}

/** Without all of these nobody knows who is not there. */
const NEEDED = ['Logical_Switch_Port', 'Pod', 'Node'] as const;

const NOTHING = pairingEvidence.start();

/**
 * Whether the Kubernetes that is held is the one of the Northbound that is held: by the MAC addresses that Kube-OVN made at random and wrote on both sides. With the wrong
 * kubeconfig beside a database every pod, node and policy seems gone; whatever is called gone or wrong by what both say rests on this.
 *
 * @param believed is told of each kind that was asked whether its absences are knowledge.
 * @param note is told of a cell that moves when the verdict does, not at each figure of it.
 */
export function pairing(
  world: ReadableWorld,
  note: (cell: Cell) => void = () => {},
  believed: (kind: string) => void = () => {},
): Pairing {
  note(someOf(cell.tally(pairingEvidence.id, ALL)));
  const figure = (world.tallied(pairingEvidence.id, ALL) as PairingEvidence | undefined) ?? NOTHING;
  for (const kind of NEEDED) believed(kind);
  const missing = NEEDED.filter((kind) => !world.knows(kind));
  return {
    ...figure.counts,
    ...(missing.length > 0
      ? {
          is: 'unknown',
          reason: `without the complete ${missing.join(', ')} nothing shows that this Kubernetes is that of the network`,
        }
      : verdictOn(figure)),
  };
}
