import { type Action as ActionRecord, ENDED } from '@ovn-steward/shared/events/action';
import type { ControlState, RequestedUndo } from '../control/control-state';
import type { Ledger } from '../store/ledger';
import { isRaced, RACED_UNCLEAR } from './gone';
import { noteOfRecord } from './note';
import { putBack } from './put-back';
import type { Work } from './work';

/**
 * Puts back what people want back: of each action, or of each action of a plan, what it removed, the last first. What cannot be put back is noted
 * as such, and tried again only when it is asked for again.
 * @returns the requests that are answered: nothing they are about is open.
 * @throws Failure when a system failed: asked again it does no harm.
 */
export async function undoWanted(
  { undos, plans }: ControlState,
  ledger: Pick<Ledger, 'get' | 'ofPlan'>,
  work: Work,
  signal: AbortSignal,
): Promise<readonly RequestedUndo[]> {
  const answered: RequestedUndo[] = [];
  for (const [of, request] of undos) {
    const { by, at } = request;
    const single = ledger.get(of);
    const actions = single === undefined ? ledger.ofPlan(of) : [single];
    const wanted = actions.filter(
      (it) =>
        it.state === 'done' &&
        it.undo !== null &&
        !isRaced(it) &&
        !(IN_VAIN.has(it.code) && it.at > at),
    );
    for (const it of wanted.sort(lastFirst)) {
      signal.throwIfAborted();
      await undoAction(it, by, work, signal);
    }
    const isOpen =
      single === undefined ? actions.length === 0 || plans.has(of) : !ENDED.has(single.state);
    if (!isOpen && !actions.some((it) => it.state === 'claimed' || isRaced(it)))
      answered.push(request);
  }
  return answered;
}

const UNDO_IMPOSSIBLE = 'undo-impossible';
const UNDO_UNCLEAR = 'undo-unclear';
const IN_VAIN: ReadonlySet<string> = new Set([UNDO_IMPOSSIBLE, UNDO_UNCLEAR]);
/** Of what is being put back since a person wants it: whoever finds it so does not know how far it came. */
const UNDOING = 'undoing';
/** Whoever put it back before may have arrived. */
const UNSURE: ReadonlySet<string> = new Set([UNDOING, UNDO_UNCLEAR, RACED_UNCLEAR]);

/** Roots before leaves: what went last may hold what went first. */
const lastFirst = (a: ActionRecord, b: ActionRecord): number =>
  (b.claimedAt ?? '') < (a.claimedAt ?? '') ? -1 : 1;

async function undoAction(
  action: ActionRecord,
  by: string,
  work: Work,
  signal: AbortSignal,
): Promise<void> {
  let standing = action;
  const back = await putBack(action.undo!, noteOfRecord(action), work, signal, {
    unsure: UNSURE.has(action.code),
    sending: async () => {
      standing = work.book.goOn(action, {
        state: 'done',
        code: UNDOING,
        reason: `${by} wants it back`,
      });
      // What is put back must be known as removed wherever the ledger is read next: else it would be removed again.
      await work.publish(signal);
    },
  });
  if (back.is === 'back')
    return void work.book.goOn(standing, {
      state: 'undone',
      code: 'undone',
      reason: [`${by} had it put back`, ...back.losses].join('; '),
    });
  work.book.goOn(
    standing,
    back.unsure
      ? {
          state: 'done',
          code: UNDO_UNCLEAR,
          reason: `${by} wanted it back; an attempt that nobody heard of may have put it back, and it cannot be now: ${back.reason}`,
        }
      : {
          state: 'done',
          code: UNDO_IMPOSSIBLE,
          reason: `${by} wanted it back, and it cannot be: ${back.reason}`,
        },
  );
}
