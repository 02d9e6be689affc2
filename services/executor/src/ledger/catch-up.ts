import { deadLetterOf } from '@ovn-steward/shared/dead-letters/dead-letter-of';
import { Failure } from '@ovn-steward/shared/errors';
import { inBatches } from '@ovn-steward/shared/log/batch-bytes';
import type { Log, LogBatch, NewRecord } from '@ovn-steward/shared/log/log';
import { ACTIONS, DEAD_LETTER } from '@ovn-steward/shared/log/topics';
import type { Ledger } from '../store/ledger';
import { type Entry, readAction } from './read-action';

const READ_BATCH = 500;

export interface CatchUpOptions {
  readonly log: Log;
  readonly ledger: Ledger;
  readonly partition: number;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
}

/** What was caught up with. */
export interface CaughtUp {
  readonly records: number;
  /** How many of them changed what stands here: written by another executor, or by one with this name before its file was lost. */
  readonly news: number;
  /** How many were no actions, and were set aside. */
  readonly deadLetters: number;
  /** Whether the log was read from its beginning, since it is not the one that was read before. */
  readonly anew: boolean;
}

/**
 * Folds what the log says of a partition's actions into the ledger, to the end as it is now. To be done before anything is decided for that partition:
 * another executor may have had it meanwhile, and this one's file may be new. Afterwards every open claim is in `ledger.open`, with what undoes it.
 * @throws Failure as `Log.read` and `Log.append` do, `log-full`; the signal's reason when it fires.
 */
export async function catchUp(options: CatchUpOptions): Promise<CaughtUp> {
  try {
    return { ...(await follow(options)), anew: false };
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'log-position-lost')) throw error;
    options.ledger.restart(options.partition);
    return { ...(await follow(options)), anew: true };
  }
}

async function follow({ log, ledger, partition, clock, signal }: CatchUpOptions): Promise<Omit<CaughtUp, 'anew'>> {
  const { high } = await log.watermarks(ACTIONS, partition);
  let [from, records, news, deadLetters] = [ledger.position(partition) ?? 0n, 0, 0, 0];
  if (from > high) throw new Failure('log-position-lost', `The actions of partition ${partition} end at ${high}, and were read up to ${from}: the log was replaced.`);
  while (from < high) {
    signal.throwIfAborted();
    const batch = await log.read(ACTIONS, partition, from, READ_BATCH);
    const { entries, letters } = sorted(batch, clock());
    // Before the position moves: a crash in between sets the same records aside again, under the same ids.
    for (const each of inBatches(letters)) await log.append(DEAD_LETTER, partition, each);
    news += ledger.take(partition, entries, batch.next).news;
    records += batch.records.length;
    deadLetters += letters.length;
    if (batch.next <= from) break;
    from = batch.next;
  }
  return { records, news, deadLetters };
}

function sorted({ topic, partition, records }: LogBatch, at: Date): { readonly entries: readonly Entry[]; readonly letters: readonly NewRecord[] } {
  const [entries, letters]: [Entry[], NewRecord[]] = [[], []];
  for (const record of records) {
    const it = readAction(partition, record);
    if ('poison' in it) letters.push(deadLetterOf({ topic, partition, record, by: 'executor', at, why: it.poison }));
    else entries.push(it);
  }
  return { entries, letters };
}
