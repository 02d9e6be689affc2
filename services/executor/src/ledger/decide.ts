import { type Action, type ActionState, ENDED } from '@ovn-steward/shared/events/action';
import { canonicalJson } from '@ovn-steward/shared/canonical-json';

/** What is decided: all of a record but what follows from the one before it. A record may be given with what is new about it. */
export type Decision = Omit<Action, 'version' | 'revision' | 'at' | 'claimedAt' | 'endedAt'>;

/** Characters of a reason that are kept: a sentence or two. */
const MOST_REASON = 1000;

/** What may follow. What is ended stays so; of what was done more may be told, and it may still be undone. A claim ends in what became of it, nothing less. */
const FOLLOWS: Readonly<Record<ActionState, readonly ActionState[]>> = {
  observed: ['observed', 'proposed', 'deferred', 'claimed', 'refused', 'failed'],
  proposed: ['observed', 'proposed', 'deferred', 'claimed', 'refused', 'failed'],
  deferred: ['observed', 'proposed', 'deferred', 'claimed', 'refused', 'failed'],
  claimed: ['claimed', 'done', 'refused', 'failed'],
  done: ['done', 'undone'],
  refused: [],
  failed: [],
  undone: [],
};

/**
 * The next record of an id; undefined when it says nothing new, or may not follow what stands. Pure.
 *
 * `unsent` is for a claim under which nothing was sent, or all that was sent was refused: only such a one may be given up for later
 * (`deferred`). Of any other nobody knows yet whether it was done.
 * @throws Error for a bug of ours: a claim without what undoes it, or an effect (`done`, `undone`) of something not claimed (not done).
 */
export function next(
  previous: Action | undefined,
  decision: Decision,
  now: Date,
  { unsent = false }: { readonly unsent?: boolean } = {},
): Action | undefined {
  const { state } = decision;
  if (state === 'claimed' && decision.undo === null)
    throw new Error(`action ${decision.id} is claimed without what undoes it`);
  const basis = state === 'done' ? 'claimed' : state === 'undone' ? 'done' : undefined;
  if (basis !== undefined && previous?.state !== basis && previous?.state !== state)
    throw new Error(
      `action ${decision.id} is told to be ${state}, and was ${previous?.state ?? 'never heard of'}, not ${basis}`,
    );
  if (previous !== undefined && !mayFollow(previous.state, state, unsent)) return undefined;
  if (previous !== undefined && saysTheSame(previous, decision)) return undefined;
  return recordOf(previous, decision, now);
}

/** Own keys only: a state of a later version is followed by nothing. */
const mayFollow = (before: ActionState, after: ActionState, unsent: boolean): boolean =>
  (Object.hasOwn(FOLLOWS, before) && FOLLOWS[before].includes(after)) ||
  (unsent && before === 'claimed' && after === 'deferred');

/** For a claim it also matters who has it and what would undo it: both must be known before anything is sent. */
function saysTheSame(previous: Action, decision: Decision): boolean {
  if (
    previous.state !== decision.state ||
    previous.code !== decision.code ||
    previous.reason !== cut(decision.reason)
  )
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

function recordOf(previous: Action | undefined, decision: Decision, now: Date): Action {
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
    executor,
  } = decision;
  const at = now.toISOString();
  const waits = !ENDED.has(state) && state !== 'claimed';
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
    // Once claimed, what undoes it stays with it, whoever forgets to say so; a claim that was given up has removed nothing.
    undo: waits ? null : (decision.undo ?? previous?.undo ?? null),
    ...(state === 'claimed' &&
      (decision.foundations ?? previous?.foundations) && {
        foundations: decision.foundations ?? previous?.foundations,
      }),
    executor,
    at,
    claimedAt: waits ? null : (previous?.claimedAt ?? (state === 'claimed' ? at : null)),
    endedAt: ENDED.has(state) ? (previous?.endedAt ?? at) : null,
  };
}
