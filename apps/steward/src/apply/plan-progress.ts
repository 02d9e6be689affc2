import type { Plan } from '@ovn-steward/executor';
import { type ActionRecord, ENDED } from '@ovn-steward/contracts/actions/action';

/** How far the carrying out of a plan has come. */
export interface PlanProgress {
  /** What was decided about its entries, in their order; undefined where nothing was yet. */
  readonly actions: readonly (ActionRecord | undefined)[];
  /** Whether nothing more will be done about any of them. */
  readonly ended: boolean;
  /**
   * Whether nothing is being done now; what only waits for its finalizers is left to its
   * controller.
   */
  readonly atRest: boolean;
  /**
   * Whether what has not ended was refused with the plan, as its executor found it: that does not
   * pass.
   */
  readonly refused: boolean;
}

const hasEnded = (action: ActionRecord | undefined): boolean =>
  action !== undefined && ENDED.has(action.state);

export function planProgressOf(
  { entries }: Plan,
  of: (id: string) => ActionRecord | undefined,
): PlanProgress {
  const actions = entries.map(({ id }) => of(id));
  return {
    actions,
    ended: actions.every(hasEnded),
    atRest: actions.every((it) => it?.state !== 'claimed'),
    refused: actions.every((it) => hasEnded(it) || it?.code.startsWith('plan-')),
  };
}
