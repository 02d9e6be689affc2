import type { StateFile } from '@ovn-steward/shared/log/state-file';
import { decidedIn, foreignTurn, LedgerIdentity, ledgerOfLog } from '@ovn-steward/executor';
import { type Systems } from '@ovn-steward/systems/systems';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { CONTROL } from '@ovn-steward/shared/log/topics';
import { waitingIn } from '../inputs/decided';
import type { Channel } from '../inputs/decisions';

const MAX_RECORDS = 500;

/**
 * Refuses to act where the systems that answer are not those that the folder's ledger belongs to.
 * Call it before requesting the Northbound's lock, so that the present holder is not disturbed.
 * Writes nothing.
 * @throws Failure `other-cluster`; whatever says that the systems or the log cannot be read.
 */
export async function refuseForeign(
  { cluster, partition }: Pick<Channel, 'cluster' | 'partition'>,
  { log, file, stateDir }: { log: Log; file: StateFile; stateDir: string },
  systems: Pick<Systems, 'northbound' | 'kubernetes'>,
  signal: AbortSignal,
): Promise<void> {
  const owner = new LedgerIdentity(file).get(cluster);
  const newest =
    owner === undefined
      ? await ledgerOfLog(log, signal, (it) => it.newestIdentity(cluster))
      : undefined;
  const { adopted } = await decidedIn(
    (from) => log.read(CONTROL, partition, from, MAX_RECORDS),
    waitingIn(stateDir),
    cluster,
  );
  const foreign = await foreignTurn(cluster, systems, { owner, newest }, adopted, signal);
  if (foreign !== undefined) throw new Failure('other-cluster', foreign);
}
