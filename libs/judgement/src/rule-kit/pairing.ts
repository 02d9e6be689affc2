import { ALL, pairingEvidence, type PairingEvidence, verdictOn } from '../tallies/pairing-evidence';
import { type Cell, cell, someOf } from '../world/cell';
import type { ReadableWorld } from '../world/readable';
import type { PairingCounts, PairingVerdict } from '../pairing/decide';
import { isStatementAbout, signOfLife } from './uninstalled';

/** Whether the Kubernetes is the one of the Northbound, and on how much that rests. */
export interface Pairing extends PairingVerdict, PairingCounts {
  /** Whether that they are one cluster rests on a person's statement alone (`UNINSTALLED`). */
  readonly bySaying: boolean;
}

/** Its definition. Without it Kube-OVN was taken away, and a Subnet is missed nowhere. */
export const SUBNET_DEFINITION = 'subnets.kubeovn.io';

const UNREAD: PairingVerdict = {
  is: 'unknown',
  reason:
    'the database is not known completely: nothing shows that this Kubernetes is that of the network',
};

const NOTHING = pairingEvidence.start();

/**
 * Whether the Kubernetes that is held is the one of the Northbound that is held: by the MAC
 * addresses that Kube-OVN made at random and wrote on both sides, and by the networks both have.
 * With the wrong kubeconfig beside a database every pod, node and policy appears deleted; all that
 * is called absent or wrong by comparing both rests on this.
 *
 * What is not known completely is left out of it (`decidePairing` says what suffices then). Without
 * the complete database nothing is paired.
 *
 * @param believed is called with each kind whose absences the verdict relies on.
 * @param onRead is called with a cell that moves when the verdict does, not at each figure of it.
 * @param uninstalled statements of people (`UNINSTALLED`): where no evidence for or against the
 * pair is left, one of them stands for the evidence.
 */
export function pairing(
  world: ReadableWorld,
  onRead: (cell: Cell) => void = () => {},
  believed: (kind: string) => void = () => {},
  uninstalled: readonly string[] = [],
): Pairing {
  onRead(someOf(cell.tally(pairingEvidence.id, ALL)));
  if (world.recorded) onRead(cell.presence('CustomResourceDefinition', SUBNET_DEFINITION));
  const figure = (world.tallied(pairingEvidence.id, ALL) as PairingEvidence | undefined) ?? NOTHING;
  const knows = (kind: string): boolean => {
    believed(kind);
    return world.knows(kind);
  };
  const all = (...kinds: readonly string[]): boolean => kinds.map(knows).every((it) => it);
  const database = all(
    'Logical_Switch_Port',
    ...(world.recorded ? ['Logical_Switch', 'Logical_Router'] : []),
  );
  const readable = {
    pods: all('Pod'),
    nodes: all('Node'),
    networks: world.recorded && knowsNetworks(world, all),
    recorded: world.recorded,
  };
  const seen = database ? verdictOn(figure, readable) : UNREAD;
  const apart = seen.is === 'paired' ? world.apart() : undefined;
  if (apart !== undefined)
    return { ...figure.counts, bySaying: false, is: 'unknown', reason: apart };
  // Nobody's word stands in for what was not read.
  const isRead = database && readable.pods && readable.nodes;
  if (seen.is !== 'unknown' || !isRead || !isStatementAbout(world, uninstalled, onRead))
    return { ...figure.counts, bySaying: false, ...seen };
  onRead(cell.tally(pairingEvidence.id, ALL));
  return {
    ...figure.counts,
    ...verdictByStatement(seen, figure.counts, signOfLife(world, onRead, believed)),
  };
}

/**
 * Whether it is known which Subnets and Vpcs there are; without their definition Kube-OVN was taken
 * away, and none is missed.
 */
const knowsNetworks = (
  world: Pick<ReadableWorld, 'hasKey'>,
  all: (...kinds: readonly string[]) => boolean,
): boolean =>
  all('Subnet', 'Vpc') &&
  (!all('CustomResourceDefinition') || world.hasKey('CustomResourceDefinition', SUBNET_DEFINITION));

/**
 * What a statement makes of a pair nobody can know: evidence against it is stronger than what
 * anybody says.
 */
export function verdictByStatement(
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
