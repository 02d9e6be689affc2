import {
  ALL,
  pairingEvidence,
  type PairingEvidence,
  verdictOn,
} from '../../tallies/pairing-evidence';
import { type Cell, cell, someOf } from '../cell';
import type { ReadableWorld } from '../readable';
import type { PairingCounts, PairingVerdict } from './decide';
import { isSaidOf, signOfLife } from './uninstalled';

/** Whether the Kubernetes is the one of the Northbound, and on how much that rests. */
export interface Pairing extends PairingVerdict, PairingCounts {
  /** Whether that they are one cluster rests on a person's statement alone (`UNINSTALLED`). */
  readonly bySaying: boolean;
}

/** Without all of these nobody knows who is not there. */
const NEEDED = ['Logical_Switch_Port', 'Pod', 'Node'] as const;

const NOTHING = pairingEvidence.start();

/**
 * Whether the Kubernetes that is held is the one of the Northbound that is held: by the MAC addresses that Kube-OVN made at random and wrote on both sides. With the wrong
 * kubeconfig beside a database every pod, node and policy seems gone; whatever is called gone or wrong by what both say rests on this.
 *
 * @param believed is told of each kind that was asked whether its absences are knowledge.
 * @param note is told of a cell that moves when the verdict does, not at each figure of it.
 * @param uninstalled statements of people (`UNINSTALLED`): where nothing speaks of the pair any more, neither for nor against it, one of them stands for the evidence.
 */
export function pairing(
  world: ReadableWorld,
  note: (cell: Cell) => void = () => {},
  believed: (kind: string) => void = () => {},
  uninstalled: readonly string[] = [],
): Pairing {
  note(someOf(cell.tally(pairingEvidence.id, ALL)));
  const figure = (world.tallied(pairingEvidence.id, ALL) as PairingEvidence | undefined) ?? NOTHING;
  for (const kind of NEEDED) believed(kind);
  const missing = NEEDED.filter((kind) => !world.knows(kind));
  if (missing.length > 0)
    return {
      ...figure.counts,
      bySaying: false,
      is: 'unknown',
      reason: `without the complete ${missing.join(', ')} nothing shows that this Kubernetes is that of the network`,
    };
  const seen = verdictOn(figure);
  if (seen.is !== 'unknown' || !isSaidOf(world, uninstalled, note))
    return { ...figure.counts, bySaying: false, ...seen };
  note(cell.tally(pairingEvidence.id, ALL));
  return {
    ...figure.counts,
    ...saidInstead(seen, figure.counts, signOfLife(world, note, believed)),
  };
}

/** What a statement makes of a pair nobody can know: evidence against it is stronger than what anybody says. */
export function saidInstead(
  seen: PairingVerdict,
  { disagree }: Pick<PairingCounts, 'disagree'>,
  life: string | undefined,
): PairingVerdict & Pick<Pairing, 'bySaying'> {
  if (seen.is !== 'unknown' || disagree > 0) return { ...seen, bySaying: false };
  return life === undefined
    ? {
        is: 'paired',
        bySaying: true,
        reason:
          'a person said that Kube-OVN was uninstalled from this Kubernetes and that this was its network, and nothing speaks against it',
      }
    : {
        is: 'unknown',
        bySaying: false,
        reason: `a person said that Kube-OVN was uninstalled from this Kubernetes, which is refused: ${life}`,
      };
}
