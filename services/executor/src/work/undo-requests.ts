import { compareValues } from '@ovn-steward/shared/compare';
import {
  type ActionRecord,
  ENDED,
  isGivenUp,
  isActionTerminating,
} from '@ovn-steward/contracts/actions/action';
import type { ControlState, RequestedUndo } from '../control/control-state';
import type { Ledger } from '../ledger/ledger';
import type { Limiter } from '../store/limiter';
import { isRaced, RACED_UNCLEAR } from './record-removed';
import { heldScopeOf } from '../gate/hold-check';
import { commentOfRecord } from './effect-comment';
import { overText } from './ours';
import { NEVER_REMOVED, type PutBack, putBack } from './put-back';
import type { Retries } from './retries';
import { recordWanted } from './terminating';
import type { LedgerEntry } from './ledger-entry';
import type { ClusterWork } from './work';

/**
 * So much of a turn at most is spent on putting back at the rate that is set: claims and other
 * requests wait meanwhile. Milliseconds.
 */
const WITHIN_MS = 5000;

/** What is put back takes its place in the rate, like what is removed. */
type PacedWork = ClusterWork & { readonly limiter: Limiter };

/**
 * Puts back what people want back: of each action, or of each action of a plan, what it removed,
 * the last first. What cannot be put back is recorded as such, and tried again only on a new
 * request. One that a system fails is tried again by itself, and what the same request wants
 * besides waits for it: a row may need the one that was removed after it. Other requests go on.
 * @returns the requests that are answered: nothing they are about is open.
 */
export async function undoWanted(
  { undos, plans }: ControlState,
  ledger: Pick<Ledger, 'get' | 'ofPlan'>,
  work: PacedWork,
  retries: Retries,
  signal: AbortSignal,
): Promise<readonly RequestedUndo[]> {
  const answered: RequestedUndo[] = [];
  for (const [of, request] of undos) {
    const { at } = request;
    const single = ledger.get(of); // as it stands before anything is put back
    const actions = actionsOf(of, ledger);
    const wanted = actions.filter((it) => isUndoable(it, at));
    const isDone = await eachUndone(wanted.sort(lastFirst), request, work, retries, signal);
    const terminating = actions.filter((it) => it.undo !== null && isActionTerminating(it));
    for (const action of terminating) recordWanted(action, request.by, work);
    const isOpen =
      single === undefined ? actions.length === 0 || plans.has(of) : !ENDED.has(single.state);
    if (
      isDone &&
      terminating.length === 0 &&
      !isOpen &&
      !actions.some((it) => it.state === 'claimed' || isRaced(it))
    )
      answered.push(request);
  }
  return answered;
}

/** What an undo is about: the action of that id, else the actions of the plan. */
export function actionsOf(
  of: string,
  ledger: Pick<Ledger, 'get' | 'ofPlan'>,
): readonly ActionRecord[] {
  const single = ledger.get(of);
  return single === undefined ? ledger.ofPlan(of) : [single];
}

/** Whether it can be put back, and was not found in vain since that moment. */
export const isUndoable = (action: ActionRecord, since: string): boolean =>
  (action.state === 'done' || isGivenUp(action)) &&
  action.undo !== null &&
  !isRaced(action) &&
  !(IN_VAIN.has(action.code) && action.at > since);

/** What people want back and can have back. */
export const wantedBack = (
  { undos }: Pick<ControlState, 'undos'>,
  ledger: Pick<Ledger, 'get' | 'ofPlan'>,
): readonly ActionRecord[] =>
  [...undos].flatMap(([of, { at }]) => actionsOf(of, ledger).filter((it) => isUndoable(it, at)));

/** @returns whether each of them was answered. */
async function eachUndone(
  actions: readonly ActionRecord[],
  { by, identity }: Pick<RequestedUndo, 'by' | 'identity'>,
  work: PacedWork,
  retries: Retries,
  signal: AbortSignal,
): Promise<boolean> {
  let all = true;
  const began = performance.now();
  for (const action of actions) {
    signal.throwIfAborted();
    const doubt = work.unproven.why(action);
    if (doubt !== undefined) {
      // It is not answered: the executor that did it puts it back when it has its turn.
      work.unproven.refused('undo', action.id, doubt);
      all = false;
      continue;
    }
    const why = work.belonging.refuses(identity) ?? work.belonging.foreign(action);
    if (why !== undefined) {
      all = refused(action, why, by, work) && all;
      continue;
    }
    if (retries.due([action.id]).length === 0 || performance.now() - began > WITHIN_MS)
      return false;
    let answered = false;
    const step = async (): Promise<void> =>
      void (answered = await undoAction(action, by, work, signal));
    await retries.attempt(action.id, step, signal);
    if (!answered) return false;
  }
  return all;
}

const UNDO_IMPOSSIBLE = 'undo-impossible';
export const UNDO_UNCLEAR = 'undo-unclear';
const UNDO_HELD = 'undo-held';
const OTHER_CLUSTER = 'other-cluster';
const IN_VAIN: ReadonlySet<string> = new Set([UNDO_IMPOSSIBLE, UNDO_UNCLEAR, OTHER_CLUSTER]);
/**
 * The code of what is being put back because a person wants it: after a crash its progress is
 * unknown.
 */
export const UNDOING = 'undoing';
/** Codes with which an earlier put-back may have taken effect. */
const UNSURE: ReadonlySet<string> = new Set([UNDOING, UNDO_UNCLEAR, RACED_UNCLEAR]);

/**
 * Nothing is put back in another cluster.
 * @returns whether that is the end of it: else the executor of the right one may do it.
 */
function refused(
  action: ActionRecord,
  why: string,
  by: string,
  { belonging, ledger }: ClusterWork,
): boolean {
  belonging.refused('undo', action.id, why);
  if (!belonging.isOver(action)) return false;
  ledger.goOn(action, {
    state: asItEnded(action),
    code: OTHER_CLUSTER,
    reason: `${by} wanted it back, and it is not put back here: ${overText(why)}`,
  });
  return true;
}

/**
 * For what was given up it is unknown whether it was done, until the write that puts it back is
 * about to be sent: then it was read and is deleted.
 */
const asItEnded = (action: ActionRecord): 'done' | 'failed' =>
  isGivenUp(action) ? 'failed' : 'done';

/** Roots before leaves: what went last may hold what went first. */
const lastFirst = (a: ActionRecord, b: ActionRecord): number =>
  compareValues(b.claimedAt ?? '', a.claimedAt ?? '');

/** @returns whether it was answered: what a hold keeps back is not, nor what has no place yet. */
async function undoAction(
  action: ActionRecord,
  by: string,
  work: PacedWork,
  signal: AbortSignal,
): Promise<boolean> {
  let current = action;
  const record = (entry: LedgerEntry): void => void work.ledger.goOn(current, entry);
  const held = (until: AbortSignal): Promise<string | undefined> =>
    work.holds.now(heldScopeOf(action), 'undo', until);
  const hold = await held(signal);
  if (hold !== undefined) {
    record(undoHeldEntry(current, by, hold, UNSURE.has(action.code)));
    return false;
  }
  if (!(await work.limiter.take(WITHIN_MS, signal))) return false;
  const back = await putBack(action, commentOfRecord(action), work, signal, {
    unsure: UNSURE.has(action.code),
    held,
    sending: async () => {
      current = work.ledger.goOn(action, {
        state: 'done',
        code: UNDOING,
        reason: `${by} wants it back`,
      });
      // What is put back must be known as removed wherever the ledger is read next: else it would
      // be removed again.
      await work.publish(signal);
    },
  });
  record(
    back.is === 'held'
      ? undoHeldEntry(current, by, back.reason, back.unsure)
      : back.is === 'back'
        ? broughtBack(current, by, back)
        : notBroughtBack(current, by, back),
  );
  return back.is !== 'held';
}

const undoHeldEntry = (
  current: ActionRecord,
  by: string,
  reason: string,
  unsure: boolean,
): LedgerEntry => ({
  state: asItEnded(current),
  // Of one that may have been sent the code says so, whatever keeps the next attempt back.
  code: (UNSURE.has(current.code) && unsure ? current.code : UNDO_HELD) as typeof UNDO_HELD,
  reason: `${by} wants it back, and ${reason}`,
});

const broughtBack = (
  current: ActionRecord,
  by: string,
  { losses, neverRemoved = false }: Extract<PutBack, { readonly is: 'back' }>,
): LedgerEntry =>
  isGivenUp(current)
    ? {
        state: 'failed',
        code: UNDO_IMPOSSIBLE,
        reason: `it was given up, and ${by} wanted it back: it is there, and nothing was written`,
      }
    : {
        state: 'undone',
        code: 'undone',
        reason: neverRemoved
          ? `${by} wanted it back: ${NEVER_REMOVED}`
          : [`${by} had it put back`, ...losses].join('; '),
      };

const notBroughtBack = (
  current: ActionRecord,
  by: string,
  { reason, unsure }: { readonly reason: string; readonly unsure: boolean },
): LedgerEntry =>
  unsure
    ? {
        state: 'done',
        code: UNDO_UNCLEAR,
        reason: `${by} wanted it back; an attempt without a recorded outcome may have put it back, and it cannot be now: ${reason}`,
      }
    : {
        state: asItEnded(current),
        code: UNDO_IMPOSSIBLE,
        reason: `${by} wanted it back, and it cannot be: ${reason}`,
      };
