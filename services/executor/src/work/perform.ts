import { type ActionRecord, ENDED } from '@ovn-steward/contracts/actions/action';
import { Failure } from '@ovn-steward/shared/errors';
import type { Prepared } from '../action-kit/action';
import { noControllerText } from '../gate/admit';
import { letThroughAsAnother } from '../gate/let-through-as';
import { callOff } from './call-off';
import type { Proof, Proven } from '../prove/prover';
import { applyEffect, type NotApplied } from './apply-effect';
import { type LedgerEntry, hasComeBack } from './ledger-writer';
import type { Item } from '../gate/item';
import { heldScopeOf } from '../gate/hold-check';
import { observeTarget } from './observe-target';
import { commentOf } from './effect-comment';
import { recordRemoved } from './record-removed';
import type { ClusterWork } from './work';

/** How often one thing is tried while no answer says whether it was done. */
const ATTEMPTS = 3;

interface Ready {
  readonly proven: Proven;
  readonly prepared: Prepared;
}

/**
 * Does one thing about one finding, or says why not: proves it anew on the living systems, prepares
 * it with what undoes it, claims it (in the ledger and in the log), checks once more, sends it
 * once, reads the outcome. Whatever is not certain ends without an effect.
 *
 * An item that is claimed already continues under the same claim; one that ended is left as it is.
 * @returns the record as it stands.
 * @throws Failure when a system failed after the claim: the claim stays open, to be settled by
 * reading the target.
 */
export async function perform(
  item: Item,
  work: ClusterWork,
  signal: AbortSignal,
): Promise<ActionRecord> {
  const before = work.ledger.of(item.id);
  if (before !== undefined && ENDED.has(before.state)) return before;
  const others = before?.state === 'claimed' ? [] : work.ledger.othersOn(item);
  const duplicate = others.find((it) => !hasComeBack(it, item.finding.firstSeen));
  if (duplicate !== undefined) return work.ledger.write(item, duplicateOf(duplicate));
  let unsure = before?.state === 'claimed';
  for (let attempt = 1; ; attempt += 1) {
    const ready = await readied(item, work, unsure, signal);
    // What was removed and exists again has come back, such as from a backup: the systems decide
    // that, whatever the clocks say. What does not exist was removed by the other action.
    if ('state' in ready && ready.code === 'gone' && others[0] !== undefined)
      return work.ledger.write(item, duplicateOf(others[0]));
    if ('state' in ready) return notDone(item, ready, work, unsure, signal);
    const became = await carriedOut(item, ready, work, unsure, signal);
    if (typeof became === 'object') return became;
    unsure ||= became === 'unsure';
    if (attempt < ATTEMPTS) continue;
    if (!unsure)
      return work.ledger.write(item, {
        state: 'deferred',
        code: 'slow',
        unsent: true,
        reason: `its proof was older than executor.proofAge each time it was to be acted on: the systems answer slowly; nothing was removed`,
      });
    return (
      (await arrivedBefore(item, work, unsure, signal)) ??
      work.ledger.write(item, {
        state: 'failed',
        code: 'no-answer',
        reason: `it was sent ${ATTEMPTS} times without an answer, and is still there`,
      })
    );
  }
}

const duplicateOf = ({ id }: ActionRecord): LedgerEntry => ({
  state: 'refused',
  code: 'twin',
  reason: `action ${id} has removed the same thing, or is about to`,
});

/** Why something is not done that may pass by itself. */
const PASSES: ReadonlySet<string> = new Set(['unknown', 'mispaired', 'in-use', 'waits']);

/**
 * Ends an item of which an earlier attempt under the same claim did arrive. Where one may have been sent to Kubernetes and did not arrive, it does not any more: it is called
 * off. What became of the thing says more than what is true of it now.
 * @throws Failure when it cannot be known, or called off: the claim stays open.
 */
async function arrivedBefore(
  item: Item,
  work: ClusterWork,
  unsure: boolean,
  signal: AbortSignal,
): Promise<ActionRecord | undefined> {
  if (!unsure) return undefined;
  const { target } = item.finding.remedy;
  if (target.source === 'kubernetes')
    await callOff(
      target,
      work.systems.kubernetes,
      (until) => work.holds.now(heldScopeOf(work.ledger.of(item.id)!), 'call-off', until),
      signal,
    );
  const seen = await observeTarget(target, work.systems, signal);
  if (seen === 'there') return undefined;
  return recordRemoved(
    {
      seen,
      claim: work.ledger.of(item.id)!,
      code: 'settled',
      reason: `it was sent without an answer, and is ${seen}`,
      write: (entry) => work.ledger.write(item, entry),
    },
    work,
    signal,
  );
}

/**
 * Records why an item was not done, unless an earlier attempt did it after all. What was claimed
 * may meanwhile be another executor's, which does it: then the outcome is not known here.
 */
async function notDone(
  item: Item,
  entry: LedgerEntry,
  work: ClusterWork,
  unsure: boolean,
  signal: AbortSignal,
): Promise<ActionRecord> {
  if (work.ledger.stateOf(item.id)?.state === 'claimed') await work.fence(signal);
  return (
    (await arrivedBefore(item, work, unsure, signal)) ??
    work.ledger.write(item, { ...entry, unsent: isCertain(item, unsure) })
  );
}

/** Whether nothing was sent, or nothing that was sent arrives any more. */
const isCertain = ({ finding }: Item, unsure: boolean): boolean =>
  !unsure || finding.remedy.target.source === 'kubernetes';

/** Proven and prepared, or why not. Nothing is written to the systems, so that a failure here only puts it off. */
async function readied(
  item: Item,
  work: ClusterWork,
  unsure: boolean,
  signal: AbortSignal,
): Promise<Ready | LedgerEntry> {
  const { finding, action } = item;
  if (action === undefined)
    return {
      state: 'deferred',
      code: 'unsupported',
      reason: `this version has no action ${finding.remedy.action}`,
    };
  try {
    // First what the guards will hold it to, then the proof: whatever changed in between is refused by the guards.
    const prepared = await action.prepare(
      finding.remedy.target,
      commentOf(item),
      work.systems,
      signal,
    );
    const proven = await work.prover.prove(finding, signal);
    if (proven.is !== 'proven') return unproven(proven);
    const shown = { proof: proven.claim.proof, owner: proven.claim.owner, scope: proven.scope };
    const elsewhere = letThroughAsAnother(finding.scope, proven.scope);
    if (elsewhere !== undefined)
      return { state: 'deferred', code: 'scope', reason: elsewhere, ...shown };
    if (prepared.is === 'refused')
      return {
        state: PASSES.has(prepared.code) ? 'deferred' : 'refused',
        code: prepared.code,
        reason: prepared.reason,
        ...shown,
      };
    if (item.version !== undefined && item.version !== prepared.version)
      return {
        state: 'deferred',
        code: 'plan-stale',
        reason: 'it is no longer what the plan was made of',
        ...shown,
      };
    if (!work.ledger.fits(item, { ...claimOf(item, prepared), ...shown }))
      return {
        state: 'refused',
        code: 'too-large',
        reason:
          'what would undo it is larger than the log takes, and nothing is removed that cannot be put back',
        ...shown,
      };
    return { proven, prepared };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'fenced' || unsure) throw error;
    return { state: 'deferred', code: error.code, reason: error.message };
  }
}

function unproven(proof: Exclude<Proof, Proven>): LedgerEntry {
  if (proof.is === 'gone')
    return { state: 'refused', code: 'gone', reason: 'it was gone before anything was done' };
  return {
    state: PASSES.has(proof.is) ? 'deferred' : 'refused',
    code: proof.is,
    reason: proof.reason,
  };
}

/** Of a claim whose request may be under way. */
export const SENDING = 'sending';

const claimOf = (item: Item, prepared: Prepared): LedgerEntry => ({
  state: 'claimed',
  code: 'claimed',
  reason: item.approval === undefined ? 'the rule is enforced' : `${item.approval.by} approved it`,
  undo: prepared.undo,
});

/** Claims it, sends it, and says what became of it. `late`: the proof was too old, nothing was sent. `unsure`: sent without an answer, and still there. */
async function carriedOut(
  item: Item,
  { proven, prepared }: Ready,
  work: ClusterWork,
  unsure: boolean,
  signal: AbortSignal,
): Promise<ActionRecord | 'late' | 'unsure'> {
  const { ledger, systems, prover } = work;
  const shown = {
    proof: proven.claim.proof,
    owner: proven.claim.owner,
    scope: proven.scope,
    foundations: proven.foundations,
  };
  const foreign = await claimable(item, proven, work, signal);
  if (foreign !== undefined) return ledger.write(item, foreign);
  const claim = ledger.write(item, { ...claimOf(item, prepared), ...shown });
  await work.publish(signal);
  const doubt = await prover.recheck(proven, signal);
  if (doubt !== undefined)
    return notDone(
      item,
      {
        state: PASSES.has(doubt.is) ? 'deferred' : 'refused',
        code: doubt.is,
        reason: `${doubt.reason}; nothing was removed`,
      },
      work,
      unsure,
      signal,
    );
  if (prepared.effect.on === 'kubernetes') {
    // If the object is deleted after a crash, another client may have done it: the record says
    // whether we had begun to.
    ledger.write(item, { ...claimOf(item, prepared), ...shown, code: SENDING });
    await work.publish(signal);
  }
  await work.fence(signal);
  const noController =
    item.action?.finishedBy === undefined ? undefined : await work.controller(signal);
  if (noController !== undefined)
    return notDone(
      item,
      { state: 'deferred', code: 'no-controller', reason: noControllerText(noController) },
      work,
      unsure,
      signal,
    );
  const held = await heldNow(item, proven, work, signal);
  if (held !== undefined) return notDone(item, held, work, unsure, signal);
  if (performance.now() - proven.readAt > work.proofAgeMs) return 'late';

  const answer = await sent(prepared, work, signal);
  const seen = await observeTarget(item.finding.remedy.target, systems, signal);
  if (seen === 'there') {
    if (answer === 'unknown') return 'unsure';
    return ledger.write(
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
    return ledger.write(item, {
      state: 'refused',
      code: 'gone',
      reason: 'somebody else removed it at the same moment',
    });
  return recordRemoved(
    {
      seen,
      claim,
      code: answer === 'applied' ? 'done' : 'settled',
      reason: item.finding.remedy.advice,
      write: (entry) => ledger.write(item, entry),
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
  { elsewhere }: Proven,
  { holds }: ClusterWork,
  signal: AbortSignal,
): Promise<LedgerEntry | undefined> {
  try {
    const others = elsewhere.map((scope) => heldScopeOf({ rule: finding.rule, scope }).scope);
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
 * A raft leader that loses its majority may run a transaction again: refused the second time, it may be our own that was committed the first. Then it
 * counts as done, so that it can be put back.
 */
async function mayRunTwice(
  { effect }: Prepared,
  { systems }: ClusterWork,
  signal: AbortSignal,
): Promise<boolean> {
  return effect.on === 'ovn-nb' && (await systems.northbound.identity(signal)).startsWith('cid:');
}

async function sent(
  prepared: Prepared,
  work: ClusterWork,
  signal: AbortSignal,
): Promise<'applied' | 'unknown' | NotApplied> {
  try {
    const answer = await applyEffect(prepared.effect, work.systems, signal);
    return answer.is === 'applied' ? 'applied' : answer;
  } catch (error) {
    if (error instanceof Failure && error.code === 'outcome-unknown') return 'unknown';
    throw error;
  }
}

/** What is only blocked for now is tried again; what moved, or may not be, is over for this revision of the finding. */
const notApplied = ({ code, reason }: NotApplied, unsure: boolean): LedgerEntry => ({
  state: code === 'blocked' ? 'deferred' : 'refused',
  code,
  reason: `${reason}; nothing was removed`,
  unsent: !unsure,
});
