import type { Keeping } from '@ovn-steward/contracts/control/keeping';
import { type ControlState, keptAt } from '../control/control-state';
import { type StandingHold, standingHolds } from '../control/standing-holds';
import type { ExecutorActivity } from './count-executor';

/** What people decided, by the events of an executor. */
export interface DecidedByPeople {
  onEvent(event: ExecutorActivity): void;
  /**
   * The holds in force; null while it does not follow what people decide: it has not its turn, or
   * acts on nothing.
   */
  holds(): StandingHold[] | null;
  /** What people suppressed or protected now; null likewise. */
  kept(): readonly Keeping[] | null;
  /** Undefined where `holds` is null. */
  state(): ControlState | undefined;
}

export function decidedByPeople(clock: () => Date): DecidedByPeople {
  let decided: ControlState | undefined;
  return {
    onEvent(event) {
      if (event.type === 'decided') decided = event.state;
    },
    holds: () => (decided === undefined ? null : standingHolds(decided, clock())),
    kept: () => (decided === undefined ? null : keptAt(decided, clock())),
    state: () => decided,
  };
}
