import { Failure } from '@ovn-steward/shared/errors';
import type { Systems } from '@ovn-steward/systems/systems';
import type { EffectComment } from '../action-kit/action';
import { prepareUndo } from '../undo/undo';
import { outOfBounds, type Undoable } from '../undo/within-bounds';
import { applyEffect } from './apply-effect';
import { observeTarget } from './observe-target';
import type { ClusterWork } from './work';

/**
 * `back`: it is there again, now or already, except for what `losses` says; `neverRemoved` when it
 * is there with the uid that it had. `impossible`: nothing was written; of what is `unsure` an
 * earlier attempt may have arrived, and another client replaced or removed what it made.
 */
export type PutBack =
  | { readonly is: 'back'; readonly losses: readonly string[]; readonly neverRemoved?: boolean }
  /**
   * A hold says that nothing is written; of what is `unsure` an earlier attempt may have arrived.
   */
  | { readonly is: 'held'; readonly reason: string; readonly unsure: boolean }
  | {
      readonly is: 'impossible';
      readonly reason: string;
      readonly unsure: boolean;
      readonly passes?: boolean;
    };

const ATTEMPTS = 3;

/** Said where `isStanding` is true. */
export const NEVER_REMOVED =
  'it is there with the uid that it had: it was never removed, and nothing was written';

/**
 * Whether the object that was to be deleted is there. An object that is made again has another uid:
 * this one was never deleted. A row that is put back has its uuid again, and an entry has none.
 * @throws Failure when it cannot be read.
 */
export async function isStanding(
  { target, undo }: Pick<Undoable, 'target' | 'undo'>,
  systems: Systems,
  signal: AbortSignal,
): Promise<boolean> {
  return undo?.of === 'object' && (await observeTarget(target, systems, signal)) === 'there';
}

/**
 * Puts back what an action removed, and nothing that it cannot have removed (`outOfBounds`), once:
 * reads first, then one guarded write; where no answer comes, reads again.
 * @param how.unsure whether an earlier attempt may have been cut off.
 * @param how.held the hold on it, in words: read right before each write.
 * @param how.sending records, before the first write, that one may be under way.
 * @throws Failure when a system cannot be read or reached; trying again later does no harm.
 */
export async function putBack(
  record: Undoable,
  comment: EffectComment,
  { systems, belonging, fence }: ClusterWork,
  signal: AbortSignal,
  how: {
    readonly unsure: boolean;
    readonly held: (signal: AbortSignal) => Promise<string | undefined>;
    readonly sending: () => Promise<void>;
  },
): Promise<PutBack> {
  let unsure = how.unsure;
  const { undo } = record;
  const beyond = outOfBounds(record);
  if (beyond !== undefined || undo === null)
    return { is: 'impossible', reason: beyond ?? 'nothing of it was recorded', unsure };
  let losses: readonly string[] = [];
  let why = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const plan = await prepareUndo(undo, comment, systems, signal);
    const neverRemoved = plan.is === 'impossible' && (await isStanding(record, systems, signal));
    // Also what is said without a write, such as that it is back already, is true of one cluster
    // only.
    await belonging.check(signal);
    if (plan.is === 'impossible')
      return neverRemoved ? { is: 'back', losses, neverRemoved } : { ...plan, unsure };
    if (plan.is === 'back') return { is: 'back', losses };
    losses = plan.losses;
    if (attempt === 0) await how.sending();
    await fence(signal);
    const reason = await how.held(signal);
    if (reason !== undefined) return { is: 'held', reason, unsure };
    try {
      const answer = await applyEffect(plan.effect, systems, signal);
      if (answer.is === 'applied') return { is: 'back', losses };
      why = answer.reason;
      if (answer.code === 'forbidden') return { is: 'impossible', reason: why, unsure };
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'outcome-unknown') throw error;
      why = error.message;
      unsure = true;
    }
  }
  return { is: 'impossible', reason: `tried ${ATTEMPTS} times: ${why}`, unsure };
}
