import { ascendingBy } from '@ovn-steward/shared/compare';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { z } from 'zod';
import type { ControlState } from '../control/control-state';
import type { Ledger } from '../ledger/ledger';
import { isMeant } from '../work/give-up';
import { actionsOf, isUndoable } from '../work/undo-requests';
import { whyUnproven } from '../work/unproven';

/**
 * A person's request that this executor does not carry out, because the author of what is known of
 * the action is not proven.
 */
export const UnansweredRequest = z.object({
  request: z.enum(['undo', 'give-up']),
  by: z.string().describe('Who asked for it.'),
  at: z.string().describe('When, RFC 3339.'),
  action: z.string().describe('The id of the action it is about: steward actions shows it.'),
  target: z.string(),
  executor: z.string().describe('Which executor wrote the action, as the record says.'),
  why: z.string(),
});
export type UnansweredRequest = z.infer<typeof UnansweredRequest>;

/**
 * The requests for an undo or a give-up that are not carried out for want of proof, one for each
 * action; the oldest first.
 */
export function unansweredIn(
  { undos, givenUp }: Pick<ControlState, 'undos' | 'givenUp'>,
  ledger: Pick<Ledger, 'get' | 'ofPlan' | 'isUnproven'>,
): readonly UnansweredRequest[] {
  const unanswered: UnansweredRequest[] = [];
  const add = (
    request: UnansweredRequest['request'],
    { by, at }: { readonly by: string; readonly at: string },
    record: NonNullable<ReturnType<Ledger['get']>>,
  ): void => {
    const why = whyUnproven(record, ledger);
    if (why === undefined) return;
    const { id, target, executor } = record;
    unanswered.push({ request, by, at, action: id, target: describe(target), executor, why });
  };
  for (const [of, request] of undos)
    for (const record of actionsOf(of, ledger))
      if (isUndoable(record, request.at)) add('undo', request, record);
  for (const decision of givenUp.values()) {
    const record = ledger.get(decision.of);
    if (record !== undefined && isMeant(record, decision)) add('give-up', decision, record);
  }
  return unanswered.sort(ascendingBy((it) => it.at));
}
