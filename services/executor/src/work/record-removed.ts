import { type ActionRecord, isActionTerminating } from '@ovn-steward/contracts/actions/action';
import type { ActionCode } from '@ovn-steward/contracts/actions/action-codes';
import type { Foundations } from '@ovn-steward/contracts/actions/foundations';
import type { Ledger } from '../ledger/ledger';
import { heldScopeOf } from '../gate/hold-check';
import type { LedgerEntry } from './ledger-entry';
import { observeTarget, type TargetState } from './observe-target';
import { commentOfRecord } from './effect-comment';
import { NEVER_REMOVED, putBack } from './put-back';
import type { ClusterWork } from './work';

/** Of what is removed, and is to be put back since its owner came meanwhile. */
const RACING = 'racing';
/** The same, once what puts it back may be under way. */
const PUTTING_BACK = 'putting-back';
/** The code of what was put back with an unknown outcome, since its owner came meanwhile. */
export const RACED_UNCLEAR = 'raced-unclear';
export const isRaced = ({ code }: Pick<ActionRecord, 'code'>): boolean =>
  code === RACING || code === PUTTING_BACK;

/**
 * What a claim's proof rests on. For a claim of an earlier version, which does not say it, the
 * facts of its proof.
 */
const foundationsOfClaim = ({ foundations, proof }: ActionRecord): Foundations =>
  foundations ?? {
    absences: proof.flatMap((it) =>
      it.fact === 'absent' && it.source === 'kubernetes' ? [{ kind: it.kind, key: it.key }] : [],
    ),
    witnesses: [],
    vacancies: [],
    rows: [],
  };

/** What was removed, as it was seen after that. */
export interface RemovedTarget {
  readonly seen: Exclude<TargetState, 'there'>;
  /** Or what stands of it, once Kubernetes took its deletion. */
  readonly claim: ActionRecord;
  readonly code: Extract<ActionCode, 'done' | 'settled'>;
  readonly reason: string;
  readonly write: (entry: LedgerEntry) => ActionRecord | Promise<ActionRecord>;
}

/**
 * Records that a target is deleted, or terminating, once it is known whether its owner came between
 * the last check and the commit: two systems share no transaction. If an owner exists now, what was
 * removed is put back at once; after a crash the next process goes on with that. A target that
 * waits for its finalizers is done when it is deleted, and can only be put back then
 * (`terminating.ts`).
 */
export async function recordRemoved(
  { seen, claim, code, reason, write }: RemovedTarget,
  work: ClusterWork,
  signal: AbortSignal,
): Promise<ActionRecord> {
  const owner = await whoCame(claim, work, signal);
  await work.belonging.check(signal);
  if (seen === 'terminating')
    return write({
      state: 'terminating',
      code: owner === undefined ? 'terminating' : RACING,
      reason:
        owner === undefined
          ? `${reason}; Kubernetes took the deletion, and it waits for its finalizers`
          : `${reason}; it waits for its finalizers, and is put back when it is gone, since meanwhile: ${owner}`,
    });
  const isBackWanted = owner !== undefined && claim.undo !== null;
  const done = await write({ state: 'done', code: isBackWanted ? RACING : code, reason });
  if (!isBackWanted) return done;
  return putBackRaced(done, owner, work, signal);
}

/**
 * What came that would have kept it. Not read for a pod, since its controller makes another of its
 * name, and it is not put back.
 */
const whoCame = async (
  claim: ActionRecord,
  work: ClusterWork,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (isRaced(claim)) return 'its owner came while it was going';
  return claim.undo?.of === 'object' && claim.undo.kind === 'Pod'
    ? undefined
    : work.prover.whoCame(
        isActionTerminating(claim)
          ? ownersIn(foundationsOfClaim(claim))
          : foundationsOfClaim(claim),
        claim.target,
        signal,
      );
};

/**
 * What is checked for a removal that takes longer than a moment: rows and objects beside it change
 * meanwhile, which means nothing; an owner that exists does.
 */
const ownersIn = ({ absences, vacancies }: Foundations): Foundations => ({
  absences,
  vacancies,
  witnesses: [],
  rows: [],
});

/** What a process left that died while it put something back. */
export const racesIn = (ledger: Pick<Ledger, 'list'>, cluster: string): readonly ActionRecord[] =>
  [RACING, PUTTING_BACK].flatMap((code) => ledger.list({ cluster, state: 'done', code }));

/** Continues one of `racesIn`. @throws Failure when a system failed: it stays to be put back. */
export const finishRace = (
  race: ActionRecord,
  work: ClusterWork,
  signal: AbortSignal,
): Promise<ActionRecord> => putBackRaced(race, 'its owner came', work, signal);

/** @throws Failure when a system failed: it stays to be put back. */
async function putBackRaced(
  done: ActionRecord,
  owner: string,
  work: ClusterWork,
  signal: AbortSignal,
): Promise<ActionRecord> {
  await work.publish(signal);
  // What waits for its finalizers cannot be made again before it is deleted: it stays to be put
  // back. So does one whose namesake is being deleted.
  if ((await observeTarget(done.target, work.systems, signal)) === 'terminating') return done;
  const held = (until: AbortSignal): Promise<string | undefined> =>
    work.holds.now(heldScopeOf(done), 'put-back', until);
  // Nothing is recorded about one that is held: it stays to be put back, and is checked again.
  if ((await held(signal)) !== undefined) return done;
  let begun = done;
  const back = await putBack(done, commentOfRecord(done), work, signal, {
    unsure: done.code === PUTTING_BACK,
    held,
    sending: async () => {
      begun = work.ledger.goOn(done, { state: 'done', code: PUTTING_BACK, reason: done.reason });
      await work.publish(signal);
    },
  });
  if (back.is === 'back')
    return work.ledger.goOn(begun, {
      state: 'undone',
      code: 'raced',
      reason: back.neverRemoved
        ? `${NEVER_REMOVED}; meanwhile: ${owner}`
        : [`it was put back, since meanwhile: ${owner}`, ...back.losses].join('; '),
    });
  if (back.is === 'held' && !back.unsure)
    return work.ledger.goOn(begun, { state: 'done', code: RACING, reason: done.reason });
  if (back.is === 'held' || back.passes) return begun;
  return back.unsure
    ? work.ledger.goOn(begun, {
        state: 'done',
        code: RACED_UNCLEAR,
        reason: `while it was removed: ${owner}; an attempt without a recorded outcome may have put it back, and it cannot be now: ${back.reason}`,
      })
    : work.ledger.goOn(begun, {
        state: 'done',
        code: 'raced',
        reason: `while it was removed: ${owner}; and it cannot be put back: ${back.reason}`,
      });
}
