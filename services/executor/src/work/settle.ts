import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { callOff } from './call-off';
import { heldScopeOf } from '../gate/hold-check';
import { observeTarget } from './observe-target';
import { recordRemoved } from './record-removed';
import type { ClusterWork } from './work';
import { isRestore, settleRestore } from './settle-restore';
import { SENDING } from './carry-out';

/**
 * Ends a claim that a process left open when it died, or that got no answer: reads the target.
 * Deleted: done. There: given up for now, since nothing was removed under it and nothing will be.
 * Whether it is claimed again is decided as for any finding: a person may have placed a hold, or
 * withdrawn an approval.
 *
 * @throws Failure when a system cannot be read, or what was sent not called off: the claim stays
 * open.
 */
export async function settle(
  claim: ActionRecord,
  work: ClusterWork,
  signal: AbortSignal,
): Promise<ActionRecord> {
  if (isRestore(claim)) return settleRestore(claim, work, signal);
  // The process that sent it may be suspended, and go on later: Kubernetes knows no lock.
  if (claim.target.source === 'kubernetes' && !isUnsent(claim))
    await callOff(
      claim.target,
      work.systems.kubernetes,
      (until) => work.holds.now(heldScopeOf(claim), 'call-off', until),
      signal,
    );
  const seen = await observeTarget(claim.target, work.systems, signal);
  // What was seen says something of the claim only if it was seen where the claim was made.
  await work.belonging.check(signal);
  if (seen !== 'there') {
    const reason = `it was claimed, and its outcome was not recorded; it is ${seen} now`;
    if (isUnsent(claim))
      return work.ledger.goOn(claim, {
        state: 'refused',
        code: 'gone',
        reason: 'somebody else removed it before anything was sent',
      });
    return recordRemoved(
      { seen, claim, code: 'settled', reason, write: (entry) => work.ledger.goOn(claim, entry) },
      work,
      signal,
    );
  }
  // This executor has taken over the Northbound: whatever another one sent was committed before, or
  // is refused.
  return work.ledger.goOn(claim, {
    state: 'deferred',
    code: 'unsent',
    unsent: true,
    reason:
      'it was claimed, and its outcome was not recorded; it is still there, and nothing was removed',
  });
}

/** Of a deletion of an object the ledger says when it is begun. */
export const isUnsent = ({ target, code }: ActionRecord): boolean =>
  target.source === 'kubernetes' && code !== SENDING;
