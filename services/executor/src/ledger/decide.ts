import {
  type ActionRecord,
  type ActionState,
  ENDED,
  isGivenUp,
  isActionTerminating,
  UNDER_WAY,
} from '@ovn-steward/contracts/actions/action';
import { canonicalJson } from '@ovn-steward/shared/canonical-json';

/**
 * What is decided: all of a record but what follows from the one before it. A record may be given
 * with what is new about it.
 */
export type Decision = Omit<ActionRecord, 'version' | 'revision' | 'at' | 'claimedAt' | 'endedAt'>;

/** Characters of a reason that are kept: a sentence or two. */
const MOST_REASON = 1000;

/**
 * Which state may follow which. An ended action stays ended; of what was done more may be recorded,
 * and it may still be undone. A claim ends only in a known outcome.
 */
const FOLLOWS: Readonly<Record<ActionState, readonly ActionState[]>> = {
  observed: ['observed', 'proposed', 'deferred', 'claimed', 'refused', 'failed'],
  proposed: ['observed', 'proposed', 'deferred', 'claimed', 'refused', 'failed'],
  deferred: ['observed', 'proposed', 'deferred', 'claimed', 'refused', 'failed'],
  claimed: ['claimed', 'terminating', 'done', 'refused', 'failed'],
  terminating: ['terminating', 'done', 'failed'],
  done: ['done', 'undone'],
  refused: [],
  failed: [],
  undone: [],
};

/**
 * The next record of an id; undefined when it says nothing new, or may not follow the current one.
 * Pure.
 *
 * `unsent` is for a claim under which nothing was sent, or all that was sent was refused: only such
 * a claim may be postponed (`deferred`). Of any other it is not known yet whether it was done. What
 * a person gave up may turn out to be removed when it is to be put back.
 * `handedOver` is for the first decision about an entry of a plan since that was handed over: its
 * record is the sign that an executor has the plan, also where it waits for what it waited for
 * before.
 * @throws Error for a bug of ours: a claim without what undoes it, or an effect (`done`, `undone`)
 * of something not claimed (not done).
 */
export function nextRecord(
  previous: ActionRecord | undefined,
  decision: Decision,
  now: Date,
  {
    unsent = false,
    handedOver = false,
  }: { readonly unsent?: boolean; readonly handedOver?: boolean } = {},
): ActionRecord | undefined {
  const { state } = decision;
  if (state === 'claimed' && decision.undo === null)
    throw new Error(`action ${decision.id} is claimed without what undoes it`);
  const bases = BASES[state];
  if (
    bases !== undefined &&
    !(state === 'done' && previous !== undefined && mayBeDone(previous)) &&
    !bases.some((it) => it === previous?.state)
  )
    throw new Error(
      `action ${decision.id} is recorded as ${state}, and was ${previous?.state ?? 'not recorded'}, not ${bases[0]}`,
    );
  if (previous !== undefined && !mayFollow(previous, state, unsent)) return undefined;
  const isRepeated = previous !== undefined && isSameDecision(previous, decision);
  if (isRepeated && !(handedOver && isWaiting(decision))) return undefined;
  return recordOf(previous, decision, now);
}

/** Effects are recorded only of what was claimed, or is being done, or was recorded so before. */
const BASES: Partial<Record<ActionState, readonly ActionState[]>> = {
  terminating: ['claimed', 'terminating'],
  done: ['claimed', 'terminating', 'done'],
  undone: ['done', 'undone'],
};

const isClaimTerminating = (action: ActionRecord): boolean =>
  isActionTerminating(action) && action.claimedAt !== null;
const mayBeDone = (action: ActionRecord): boolean =>
  isClaimTerminating(action) || isGivenUp(action);

/** Own keys only: a state of a later version is followed by nothing. */
const mayFollow = (before: ActionRecord, after: ActionState, unsent: boolean): boolean =>
  (Object.hasOwn(FOLLOWS, before.state) && FOLLOWS[before.state].includes(after)) ||
  (unsent && before.state === 'claimed' && after === 'deferred') ||
  (mayBeDone(before) && (after === 'done' || after === 'failed'));

/**
 * For a claim it also matters who has it and what would undo it: both must be known before anything
 * is sent. For what waits it matters which plan names it: whoever handed that plan over takes the
 * record for the sign that an executor has it, also where the plan waits for what the action waited
 * for before.
 */
function isSameDecision(previous: ActionRecord, decision: Decision): boolean {
  if (
    previous.state !== decision.state ||
    previous.code !== decision.code ||
    previous.reason !== cut(decision.reason) ||
    canonicalJson(previous.unsettled ?? null) !== canonicalJson(decision.unsettled ?? null)
  )
    return false;
  if (isWaiting(decision) && decision.plan !== null && previous.plan !== decision.plan)
    return false;
  return (
    decision.state !== 'claimed' ||
    (previous.executor === decision.executor &&
      canonicalJson([previous.undo, previous.foundations ?? null]) ===
        canonicalJson([decision.undo, decision.foundations ?? null]))
  );
}

const cut = (reason: string): string =>
  reason.length > MOST_REASON ? `${reason.slice(0, MOST_REASON - 1)}…` : reason;

function recordOf(previous: ActionRecord | undefined, decision: Decision, now: Date): ActionRecord {
  const {
    id,
    cluster,
    identity,
    rule,
    finding,
    action,
    target,
    state,
    code,
    reason,
    mode,
    plan,
    approvedBy,
    proof,
    owner,
    scope,
    unsettled,
    executor,
  } = decision;
  const at = now.toISOString();
  const waits = isWaiting({ state });
  // What only waits was not claimed, whatever else its record says.
  const claimed = previous !== undefined && isWaiting(previous) ? undefined : previous;
  return {
    version: 1,
    id,
    cluster,
    ...(identity && { identity }),
    revision: (previous?.revision ?? 0) + 1,
    rule,
    finding,
    action,
    target,
    state,
    code,
    reason: cut(reason),
    mode,
    plan,
    approvedBy,
    proof,
    owner,
    scope,
    // Once claimed, an action keeps what undoes it, also where the decision omits it; a claim that
    // was given up has removed nothing.
    undo: waits ? null : (decision.undo ?? claimed?.undo ?? null),
    ...((state === 'claimed' || isActionTerminating(decision)) &&
      (decision.foundations ?? claimed?.foundations) && {
        foundations: decision.foundations ?? claimed?.foundations,
      }),
    ...(unsettled && { unsettled }),
    executor,
    at,
    claimedAt: waits ? null : (claimed?.claimedAt ?? (state === 'claimed' ? at : null)),
    endedAt: ENDED.has(state) ? endedAtOf(previous, state, at) : null,
  };
}

const isWaiting = ({ state }: Pick<ActionRecord, 'state'>): boolean =>
  !ENDED.has(state) && !UNDER_WAY.has(state);

/**
 * A removal that was not finished in time, and finished after all, ended when it was found
 * finished.
 */
const endedAtOf = (previous: ActionRecord | undefined, state: ActionState, at: string): string =>
  state === 'done' && previous?.state === 'failed' ? at : (previous?.endedAt ?? at);
