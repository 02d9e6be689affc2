import { Decider } from '@ovn-steward/contracts/control/decided-by';
import { KEEPING_KINDS } from '@ovn-steward/contracts/control/keeping';
import { Selector } from '@ovn-steward/contracts/identity/selector';
import { z } from 'zod';
import { type ControlState, keptAt } from './control-state';
import { StandingHold, standingHolds } from './standing-holds';

/** What people decided about a cluster, as far as it is in force. */
export const StandingDecisions = z.object({
  cluster: z.string(),
  holds: z.array(StandingHold).describe('The holds in force, the oldest first.'),
  kept: z
    .array(
      z.object({
        kind: z.enum(KEEPING_KINDS),
        selector: Selector.describe('What it keeps: all that is named must match.'),
        reason: z.string(),
        ...Decider.shape,
        at: z.string().describe('When; RFC 3339. Empty where the record cannot be read.'),
        until: z.string().nullable().describe('When it ends by itself; null: with un<kind>.'),
      }),
    )
    .describe('What is suppressed or protected.'),
  executors: z
    .array(z.object({ executor: z.string(), lastSeen: z.string() }))
    .describe('The executors that said that they respect decisions, and when they did last.'),
});
export type StandingDecisions = z.infer<typeof StandingDecisions>;

/** Of that state, what is in force at that moment. */
export const standingDecisions = (
  state: ControlState,
  cluster: string,
  now: Date,
): StandingDecisions => ({
  cluster,
  holds: standingHolds(state, now),
  kept: [...keptAt(state, now)],
  executors: [...state.heard].map(([executor, { at }]) => ({ executor, lastSeen: at })),
});
