import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import restoreRows from '../actions/restore-rows';
import { observeTarget } from './observe-target';
import { decidedAgain, settledAs } from './earlier-restores';
import type { ClusterWork } from './work';

export const isRestore = ({ action }: Pick<ActionRecord, 'action'>): boolean =>
  action === restoreRows.id;

/**
 * Ends a claim to put rows back that a process left open: all of them stand again, or, since they
 * come back in one transaction and this executor has taken over the Northbound, none was written.
 * Then it is decided about again, and so is a claim on rows that only moved to another tier: they
 * are there either way, and where they are back nothing is written.
 *
 * @throws Failure when it cannot be read: the claim stays open.
 */
export async function settleRestore(
  claim: ActionRecord,
  work: ClusterWork,
  signal: AbortSignal,
): Promise<ActionRecord> {
  const rows = claim.undo?.of === 'rows' ? claim.undo.rows : [];
  let isBack = rows.length > 0;
  for (const { table: kind, uuid: uid, name } of rows) {
    const seen = await observeTarget({ source: 'ovn-nb', kind, uid, name }, work.systems, signal);
    isBack &&= seen === 'there';
    if (!isBack) break;
  }
  await work.belonging.check(signal);
  return work.ledger.goOn(claim, (isBack ? settledAs : decidedAgain)(claim.reason));
}
