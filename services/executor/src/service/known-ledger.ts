import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Ledger } from '../ledger/ledger';
import type { ExecutorActivity } from './count-executor';

/**
 * The ledger, once it is what the log said of a cluster: read in this life, or in an earlier one of
 * the same file. Before, an empty list of actions would look like nothing done.
 */
export function knownLedger<L extends Pick<Ledger, 'position'>>(
  cluster: string,
): {
  onEvent(event: ExecutorActivity): void;
  of(ledger: L | undefined): L | undefined;
} {
  const partition = partitionOf(cluster, PARTITIONS);
  let isCaughtUp = false;
  return {
    onEvent(event) {
      if (event.type === 'caught-up' && event.partition === partition) isCaughtUp = true;
    },
    of: (ledger) => (isCaughtUp || ledger?.position(partition) !== undefined ? ledger : undefined),
  };
}
