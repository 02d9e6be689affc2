import type { Plan } from '@ovn-steward/executor';
import { type Action, ENDED } from '@ovn-steward/shared/events/action';

/** How far the carrying out of a plan has come. */
export interface Standing {
  /** What was decided about its entries, in their order; undefined where nothing was yet. */
  readonly actions: readonly (Action | undefined)[];
  /** Whether nothing more will be done about any of them. */
  readonly ended: boolean;
  /** Whether nothing is being done now. */
  readonly atRest: boolean;
}

export function standingOf({ entries }: Plan, of: (id: string) => Action | undefined): Standing {
  const actions = entries.map(({ id }) => of(id));
  return { actions, ended: actions.every((it) => it !== undefined && ENDED.has(it.state)), atRest: actions.every((it) => it?.state !== 'claimed') };
}
