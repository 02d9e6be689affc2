import { deadLetterOf } from '@ovn-steward/contracts/dead-letters/dead-letter-of';
import { Failure } from '@ovn-steward/shared/errors';
import { inBatches } from '@ovn-steward/shared/log/batch-bytes';
import type { Log } from '@ovn-steward/shared/log/log';
import { ACTIONS, DEAD_LETTER } from '@ovn-steward/shared/log/topics';
import type { RefusedFor } from '@ovn-steward/shared/log/origin';
import type { Ledger } from './ledger';
import { foldLog, type FoldedLog, type FoldOptions, type PoisonRecord } from './fold-log';

export interface LedgerCatchUpOptions {
  readonly log: Log;
  readonly ledger: Ledger;
  readonly partition: number;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
  /** Called for each record that is not proven to come from an executor. Must not throw. */
  readonly onRefused?: ((reason: RefusedFor) => void) | undefined;
}

/**
 * What was caught up with. News are from another executor, or from this one before its file was
 * lost.
 */
export interface CaughtUp extends FoldedLog {
  /** Whether the log was read from its beginning, since it is not the one that was read before. */
  readonly isRebuilt: boolean;
}

/**
 * Folds what the log says of a partition's actions into the ledger, to the end as it is now; what
 * is no action is set aside. To be done before anything is decided for that partition: another
 * executor may have had it meanwhile, and this one's file may be new. Afterwards every open claim
 * is in `ledger.open`, with what undoes it.
 * @throws Failure as `Log.read` and `Log.append` do, `log-full`; `log-unavailable` while a record
 *   is signed more than an hour from now; the signal's reason when it fires.
 */
export async function catchUpLedger({
  log,
  ledger,
  partition,
  clock,
  signal,
  onRefused,
}: LedgerCatchUpOptions): Promise<CaughtUp> {
  const options: FoldOptions = {
    log,
    ledger,
    partition,
    signal,
    onPoison: async (poison) => {
      stopIfSignedAhead(poison, partition, onRefused);
      const at = clock();
      for (const each of inBatches(
        poison.map((it) => deadLetterOf({ topic: ACTIONS, partition, ...it, by: 'executor', at })),
      ))
        await log.append(DEAD_LETTER, partition, each);
      for (const { refused } of poison) if (refused !== undefined) onRefused?.(refused);
    },
  };
  const folded = async (): Promise<FoldedLog> => {
    const read = await foldLog(options);
    for (let refused = 0; refused < read.refused; refused += 1) onRefused?.('unsigned');
    return read;
  };
  try {
    return { ...(await folded()), isRebuilt: false };
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'log-position-lost')) throw error;
    ledger.restart(partition);
    return { ...(await folded()), isRebuilt: true };
  }
}

/**
 * A trusted key signed it, and by our clock it cannot be yet. Going on without it could replace it
 * under its key, and compaction would take the record that undoes what another executor did. So
 * nothing goes on until the clocks agree.
 */
function stopIfSignedAhead(
  poison: readonly PoisonRecord[],
  partition: number,
  onRefused: LedgerCatchUpOptions['onRefused'],
): void {
  const ahead = poison.find(({ refused }) => refused === 'clock');
  if (ahead === undefined) return;
  onRefused?.('clock');
  throw new Failure(
    'log-unavailable',
    `The action at ${ACTIONS}/${partition}/${ahead.record.offset} is signed with a trusted key, but ${ahead.why}, or the clock of this machine. Nothing is done in partition ${partition} until they agree. Where the key was misused, take it out of signing.trustedKeys.`,
  );
}
