import type { Item } from '../gate/item';
import type { LedgerEntry } from './ledger-entry';
import type { ClusterWork } from './work';

/**
 * Why nothing is done about it now: the newest record of its finding says that it is in doubt,
 * whatever the record or the plan says that it was taken from. The doubt rests on whole lists that
 * a proof does not read.
 */
export function inDoubt(
  { finding }: Item,
  { doubtOf }: Pick<ClusterWork, 'doubtOf'>,
): LedgerEntry | undefined {
  const doubt = doubtOf(finding.id);
  return doubt === undefined
    ? undefined
    : {
        state: 'deferred',
        code: 'unknown',
        reason: `it is in doubt: ${doubt}; nothing was removed`,
      };
}
