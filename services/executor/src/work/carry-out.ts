import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { Failure } from '@ovn-steward/shared/errors';
import type { Prepared } from '../action-kit/action';
import { applyEffect, type NotApplied } from './apply-effect';
import type { LedgerEntry } from './ledger-entry';
import type { Item } from '../gate/item';
import { heldScopeOf } from '../gate/hold-check';
import { observeTarget } from './observe-target';
import { inDoubt } from './in-doubt';
import { recordRemoved } from './record-removed';
import type { ClusterWork } from './work';
import type { Proven } from '../prove/prove-in-rounds';
import { noControllerText } from '../gate/refusals';
import { notDone } from './arrived-before';
import { type Ready, PASSES, claimedEntry } from './prove-and-prepare';

/** Of a claim whose request may be under way. */
export const SENDING = 'sending';

/** One attempt at an item that is proven and prepared. */
interface Attempt extends Ready {
  readonly item: Item;
  readonly work: ClusterWork;
  /** Whether an earlier attempt got no answer. */
  readonly unsure: boolean;
  /**
   * Whether the proof was made while another was carried out, which may have changed what it rests
   * on.
   */
  readonly isAhead: boolean;
}

/**
 * Claims it, sends it, and says what became of it. `late`: the proof was too old, or made ahead and
 * is not so any more; nothing was done. `unsure`: sent without an answer, and still there.
 */
export async function carryOut(
  attempt: Attempt,
  signal: AbortSignal,
): Promise<ActionRecord | 'late' | 'unsure'> {
  const { item, proven, prepared, work, unsure } = attempt;
  const foreign = await claimable(item, proven, work, signal);
  if (foreign !== undefined) return work.ledger.write(item, foreign);
  const claim = await work.ledger.writeTogether(item, claimEntry(attempt));
  await work.publish(signal);
  const objection = await objectionBeforeSending(attempt, signal);
  if (objection !== undefined)
    return isStale(attempt, objection) ? 'late' : notDone(item, objection, work, unsure, signal);
  if (performance.now() - proven.readAt > work.proofAgeMs) return 'late';
  return outcomeOf(attempt, claim, await send(prepared, work, signal), signal);
}

const claimEntry = ({ item, proven, prepared }: Attempt): LedgerEntry => ({
  ...claimedEntry(item, prepared),
  proof: proven.claim.proof,
  owner: proven.claim.owner,
  scope: proven.scope,
  foundations: proven.foundations,
});

/** Why what is claimed is not sent after all: checked as late as it can be. */
async function objectionBeforeSending(
  attempt: Attempt,
  signal: AbortSignal,
): Promise<LedgerEntry | undefined> {
  const { item, proven, prepared, work } = attempt;
  const doubt = await work.prover.recheck(proven, signal);
  if (doubt !== undefined)
    return {
      state: PASSES.has(doubt.is) ? 'deferred' : 'refused',
      code: doubt.is,
      reason: `${doubt.reason}; nothing was removed`,
    };
  if (prepared.effect.on === 'kubernetes') {
    // If the object is deleted after a crash, another client may have done it: the record says
    // whether we had begun to.
    work.ledger.write(item, { ...claimEntry(attempt), code: SENDING });
    await work.publish(signal);
  }
  await work.fence(signal);
  const noController =
    item.action?.finishedBy === 'kube-ovn' ? await work.controller(signal) : undefined;
  return noController === undefined
    ? (inDoubt(item, work) ?? heldNow(item, proven, work, signal))
    : { state: 'deferred', code: 'no-controller', reason: noControllerText(noController) };
}

/**
 * That something moved says nothing of an item that was proven before its turn: it is proven again.
 */
const isStale = ({ isAhead }: Attempt, { code }: Pick<NotApplied, 'code'> | LedgerEntry): boolean =>
  isAhead && code === 'changed';

/** Reads the target after the effect was sent, and records what became of it. */
async function outcomeOf(
  attempt: Attempt,
  claim: ActionRecord,
  answer: Answer,
  signal: AbortSignal,
): Promise<ActionRecord | 'unsure' | 'late'> {
  const { item, prepared, work, unsure } = attempt;
  const seen = await observeTarget(item.finding.remedy.target, work.systems, signal);
  if (seen === 'there') {
    if (answer === 'unknown') return 'unsure';
    if (typeof answer === 'object' && isStale(attempt, answer)) return 'late';
    return work.ledger.write(
      item,
      answer === 'applied'
        ? {
            state: 'failed',
            code: 'still-there',
            reason: 'the system acknowledged it, and it is still there',
          }
        : notApplied(answer, unsure),
    );
  }
  if (typeof answer === 'object' && !unsure && !(await mayRunTwice(prepared, work, signal)))
    return work.ledger.write(item, {
      state: 'refused',
      code: 'gone',
      reason: 'another client removed it at the same moment',
    });
  return recordRemoved(
    {
      seen,
      claim,
      code: answer === 'applied' ? 'done' : 'settled',
      reason: item.finding.remedy.advice,
      write: (entry) => work.ledger.writeTogether(item, entry),
    },
    work,
    signal,
  );
}

/**
 * Why it may not be claimed: the systems that answer are not those it was proven on, or those the
 * ledger belongs to.
 * @throws Failure where it is claimed already, or this cannot be known: only its own systems show
 * the outcome.
 */
async function claimable(
  { id }: Item,
  { identity }: Proven,
  { belonging, ledger }: ClusterWork,
  signal: AbortSignal,
): Promise<LedgerEntry | undefined> {
  try {
    await belonging.claim(identity, signal);
    return undefined;
  } catch (error) {
    const isOther = error instanceof Failure && error.code === 'other-cluster';
    if (!isOther || ledger.stateOf(id)?.state === 'claimed') throw error;
    return { state: 'deferred', code: error.code, reason: error.message, unsent: true };
  }
}

/**
 * Why a person's decision keeps it from being sent, read at the last moment: slow systems may have
 * delayed it past a decision made meanwhile.
 */
async function heldNow(
  { finding }: Item,
  { otherScopes }: Proven,
  { holds }: ClusterWork,
  signal: AbortSignal,
): Promise<LedgerEntry | undefined> {
  try {
    const others = otherScopes.map((scope) => heldScopeOf({ rule: finding.rule, scope }).scope);
    const kept = await holds.removal(finding, [...others, finding.scope], signal);
    if (kept !== undefined)
      return {
        state: 'deferred',
        code: kept.code,
        reason: `${kept.reason}; nothing was removed`,
      };
    return undefined;
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error;
    return { state: 'deferred', code: error.code, reason: `${error.message} Nothing was removed.` };
  }
}

/**
 * A raft leader that loses its majority may run a transaction again: refused the second time, it
 * may be our own that was committed the first. Then it counts as done, so that it can be put back.
 */
async function mayRunTwice(
  { effect }: Prepared,
  { systems }: ClusterWork,
  signal: AbortSignal,
): Promise<boolean> {
  return effect.on === 'ovn-nb' && (await systems.northbound.identity(signal)).startsWith('cid:');
}

type Answer = 'applied' | 'unknown' | NotApplied;

async function send(prepared: Prepared, work: ClusterWork, signal: AbortSignal): Promise<Answer> {
  try {
    const answer = await applyEffect(prepared.effect, work.systems, signal);
    return answer.is === 'applied' ? 'applied' : answer;
  } catch (error) {
    if (error instanceof Failure && error.code === 'outcome-unknown') return 'unknown';
    throw error;
  }
}

/**
 * What is only blocked for now is tried again; what moved, or may not be, is over for this revision
 * of the finding.
 */
const notApplied = ({ code, reason }: NotApplied, unsure: boolean): LedgerEntry => ({
  state: code === 'blocked' ? 'deferred' : 'refused',
  code,
  reason: `${reason}; nothing was removed`,
  unsent: !unsure,
});
