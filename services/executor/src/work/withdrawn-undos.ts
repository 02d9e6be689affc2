import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { ControlState } from '../control/control-state';
import type { Ledger } from '../ledger/ledger';
import { prepareUndo } from '../undo/undo';
import { commentOfRecord } from './effect-comment';
import { isStanding, NEVER_REMOVED } from './put-back';
import { UNDO_UNCLEAR, UNDOING, wantedBack } from './undo-requests';
import type { ClusterWork } from './work';

/**
 * What was being put back for a person who no longer wants it: its sender died, and no request
 * leads to it any more.
 */
export function withdrawnIn(
  decided: Pick<ControlState, 'undos'>,
  ledger: Pick<Ledger, 'get' | 'list' | 'ofPlan'>,
  cluster: string,
): readonly ActionRecord[] {
  const undoing = ledger.list({ cluster, state: 'done', code: UNDOING });
  if (undoing.length === 0) return [];
  const wanted = new Set(wantedBack(decided, ledger).map(({ id }) => id));
  return undoing.filter(({ id }) => !wanted.has(id));
}

/**
 * Ends one of them: reads whether it is there again, and writes nothing to the systems. The lock
 * must be taken over before.
 * @throws Failure when a system cannot be read: it stays as it is.
 */
export async function settleWithdrawn(
  undoing: ActionRecord,
  work: ClusterWork,
  signal: AbortSignal,
): Promise<ActionRecord> {
  const plan =
    undoing.undo &&
    (await prepareUndo(undoing.undo, commentOfRecord(undoing), work.systems, signal));
  const neverRemoved =
    plan?.is === 'impossible' && (await isStanding(undoing, work.systems, signal));
  await work.belonging.check(signal);
  if (neverRemoved)
    return work.ledger.goOn(undoing, {
      state: 'undone',
      code: 'undone',
      reason: `${undoing.reason}; the request was withdrawn, and ${NEVER_REMOVED}`,
    });
  return plan?.is === 'back'
    ? work.ledger.goOn(undoing, {
        state: 'undone',
        code: 'undone',
        reason: `${undoing.reason}; the request was withdrawn when it had been put back`,
      })
    : work.ledger.goOn(undoing, {
        state: 'done',
        code: UNDO_UNCLEAR,
        reason: `${undoing.reason}; an attempt without a recorded outcome may have put it back, it is not there as it was, and the request was withdrawn`,
      });
}
