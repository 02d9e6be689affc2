import { Failure } from '@ovn-steward/shared/errors';
import type { Undo } from '@ovn-steward/shared/events/undo';
import type { Note } from '../actions/action';
import { prepareUndo } from '../undo/undo';
import { applyEffect } from './apply-effect';
import type { Work } from './work';

/** `back`: it is there again, now or already, but for what `losses` says. `impossible`: nothing was written. */
export type PutBack = { readonly is: 'back'; readonly losses: readonly string[] } | { readonly is: 'impossible'; readonly reason: string };

const ATTEMPTS = 3;

/**
 * Puts back what an action removed, once: looks first, then one guarded write; where no answer comes, looks again.
 * @throws Failure when a system cannot be read or reached; trying again later does no harm.
 */
export async function putBack(undo: Undo, note: Note, { systems, fence }: Work, signal: AbortSignal): Promise<PutBack> {
  let losses: readonly string[] = [];
  let why = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const plan = await prepareUndo(undo, note, systems, signal);
    if (plan.is === 'impossible') return plan;
    if (plan.is === 'back') return { is: 'back', losses };
    losses = plan.losses;
    await fence(signal);
    try {
      const answer = await applyEffect(plan.effect, systems, signal);
      if (answer.is === 'applied') return { is: 'back', losses };
      why = answer.reason;
      if (answer.code === 'forbidden') return { is: 'impossible', reason: why };
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'outcome-unknown') throw error;
      why = error.message;
    }
  }
  return { is: 'impossible', reason: `tried ${ATTEMPTS} times: ${why}` };
}
