import { EXECUTOR_ACTIONS } from '@ovn-steward/executor';

type Action = (typeof EXECUTOR_ACTIONS)[number];

/** The actions that need a right by default: what no rule proposes has none. */
const PROPOSED = EXECUTOR_ACTIONS.filter((it) => it.unproposed === undefined);

/** Those that do this to pods, or to all other objects. */
export const acting = (verb: NonNullable<Action['verb']>, on: 'pods' | 'others'): Action[] =>
  PROPOSED.filter((it) => it.verb === verb && it.kinds.includes('Pod') === (on === 'pods'));

/** Their ids, for a comment. */
export const idsOf = (actions: readonly Action[]): string => actions.map((it) => it.id).join(', ');

export const kindsActedOn = (actions: readonly Action[]): readonly string[] =>
  actions.flatMap((it) => it.kinds);
