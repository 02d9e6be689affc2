import { Failure } from '@ovn-steward/shared/errors';
import type { Prepared, Refusal } from '../action-kit/action';
import { scopeMismatch } from '../gate/scope-mismatch';
import { noControllerText } from '../gate/refusals';
import type { LedgerEntry } from './ledger-entry';
import type { Item } from '../gate/item';
import { isAsPlanned } from './as-planned';
import { commentOf } from './effect-comment';
import { inDoubt } from './in-doubt';
import type { ClusterWork } from './work';
import type { Proof, Proven } from '../prove/prove-in-rounds';

export interface Ready {
  readonly proven: Proven;
  readonly prepared: Prepared;
}

/** Why something is not done that may pass by itself. */
export const PASSES: ReadonlySet<string> = new Set(['unknown', 'mispaired', 'in-use', 'waits']);

/**
 * Proven and prepared, or why not. Nothing is written to the systems, so that a failure here only
 * puts it off.
 */
export async function proveAndPrepare(
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
  const doubted = inDoubt(item, work);
  if (doubted !== undefined) return doubted;
  try {
    // Before anything is read: seeing its Lease renewed may take seconds, which would make the
    // proof too old to act on. It is seen again, at once then, right before the request.
    const noController =
      action.finishedBy === 'kube-ovn' ? await work.controller(signal) : undefined;
    if (noController !== undefined)
      return { state: 'deferred', code: 'no-controller', reason: noControllerText(noController) };
    // First what the guards will hold it to, then the proof: whatever changed in between is refused
    // by the guards.
    const prepared = await action.prepare(
      finding.remedy.target,
      commentOf(item),
      work.systems,
      signal,
    );
    const isPlanned =
      prepared.is === 'refused' || (await isAsPlanned(item, prepared, work.systems, signal));
    const proven = await work.prover.prove(finding, signal);
    if (proven.is !== 'proven') return unproven(proven);
    return readyUnless(item, proven, prepared, isPlanned, work);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'fenced' || unsure) throw error;
    return { state: 'deferred', code: error.code, reason: error.message };
  }
}

/**
 * What is proven and prepared, unless the item, the plan or the size of its undo record speaks
 * against it.
 */
function readyUnless(
  item: Item,
  proven: Proven,
  prepared: Prepared | Refusal,
  isPlanned: boolean,
  work: ClusterWork,
): Ready | LedgerEntry {
  const shown = { proof: proven.claim.proof, owner: proven.claim.owner, scope: proven.scope };
  const mismatch = scopeMismatch(item.finding.scope, proven.scope);
  if (mismatch !== undefined)
    return { state: 'deferred', code: 'scope', reason: mismatch, ...shown };
  if (prepared.is === 'refused')
    return {
      state: PASSES.has(prepared.code) ? 'deferred' : 'refused',
      code: prepared.code,
      reason: prepared.reason,
      ...shown,
    };
  if (!isPlanned)
    return {
      state: 'deferred',
      code: 'plan-stale',
      reason: 'it is no longer what the plan was made of',
      ...shown,
    };
  if (!work.ledger.fits(item, { ...claimedEntry(item, prepared), ...shown }))
    return {
      state: 'refused',
      code: 'too-large',
      reason:
        'what would undo it is larger than the log takes, and nothing is removed that cannot be put back',
      ...shown,
    };
  return { proven, prepared };
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

export const claimedEntry = (item: Item, prepared: Prepared): LedgerEntry => ({
  state: 'claimed',
  code: 'claimed',
  reason: item.approval === undefined ? 'the rule is enforced' : `${item.approval.by} approved it`,
  undo: prepared.undo,
});
