import type { TransactResult } from '@ovn-steward/ovsdb';
import type { CommittedTransaction, RefusedTransaction } from './northbound';

/**
 * What a transaction came to, in the words of {@link Northbound}.
 * @param before how many operations of ours stand before the caller's, whose results are left out.
 *   Where one of those refused, `at` is 0.
 */
export function outcomeOf(
  result: TransactResult,
  before = 0,
): CommittedTransaction | RefusedTransaction {
  if (result.ok) return { is: 'committed', results: result.results.slice(before) };
  const { error, details, at } = result.error;
  return {
    is: 'refused',
    error,
    ...(details !== undefined && { details }),
    at: at === 'commit' ? at : Math.max(at - before, 0),
  };
}
