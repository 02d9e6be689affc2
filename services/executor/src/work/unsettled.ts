import { type ActionRecord, isActionTerminating } from '@ovn-steward/contracts/actions/action';
import type { Ledger } from '../ledger/ledger';
import type { LedgerWriter } from './ledger-writer';
import { isRaced, racesIn } from './record-removed';
import type { UnsettledAction } from './retries';
import { terminatingIn } from './terminating';

/**
 * Whether it is still to be finished: a claim, what Kubernetes has to finish, or what is to be put
 * back for its owner.
 */
export const isUnderWay = (action: ActionRecord): boolean =>
  action.state === 'claimed' ||
  isActionTerminating(action) ||
  (action.state === 'done' && isRaced(action));

/** What is under way in a cluster and could not be brought to its end so far. */
export const unsettledIn = (
  ledger: Pick<Ledger, 'open' | 'list'>,
  cluster: string,
): readonly ActionRecord[] =>
  [...ledger.open(cluster), ...terminatingIn(ledger, cluster), ...racesIn(ledger, cluster)].filter(
    ({ unsettled }) => unsettled !== undefined,
  );

/** A record may be large, as what undoes it is: of a claim that fails for a day some are enough. */
const SELDOM_MS = 10 * 60_000;

/**
 * Records a failure in the ledger, where people see it (`steward actions`): the first, then fewer
 * and fewer, and one each ten minutes at least. Nothing is recorded about what is not under way.
 */
export function recordUnsettled(
  { id, ...unsettled }: UnsettledAction,
  writer: Pick<LedgerWriter, 'of' | 'unsettled'>,
  now: Date,
): void {
  const record = writer.of(id);
  if (record === undefined || !isUnderWay(record)) return;
  const isPowerOfTwo = Number.isInteger(Math.log2(unsettled.failures));
  const isRecent =
    record.unsettled !== undefined && Math.abs(now.getTime() - Date.parse(record.at)) < SELDOM_MS;
  if (isRecent && !isPowerOfTwo) return;
  writer.unsettled(record, unsettled);
}
