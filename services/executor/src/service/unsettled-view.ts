import { ascendingBy } from '@ovn-steward/shared/compare';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { Unsettled } from '@ovn-steward/contracts/actions/unsettled';
import { z } from 'zod';

/** What is under way and cannot be settled, as `/status` shows it. */
export const UnsettledClaim = z
  .object({
    id: z.string().describe('Of the action: steward actions shows it, steward give-up ends it.'),
    rule: z.string(),
    action: z.string(),
    target: z.string(),
    state: z.string(),
    code: z.string(),
    claimedAt: z.string().nullable(),
  })
  .extend(Unsettled.shape);
export type UnsettledClaim = z.infer<typeof UnsettledClaim>;

/** The oldest first. */
export const unsettledView = (actions: readonly ActionRecord[]): readonly UnsettledClaim[] =>
  actions
    .flatMap(({ id, rule, action, target, state, code, claimedAt, unsettled }) =>
      unsettled === undefined
        ? []
        : [{ id, rule, action, target: describe(target), state, code, claimedAt, ...unsettled }],
    )
    .sort(ascendingBy((it) => it.since));
