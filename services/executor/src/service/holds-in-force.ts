import type { ControlState } from '../control/control-state';
import { type StandingHold, standingHolds } from '../control/standing-holds';
import type { ExecutorActivity } from './count-executor';

/** The holds in force, by what an executor tells. */
export interface HoldsInForce {
  onEvent(event: ExecutorActivity): void;
  /** Null while it does not follow what people decide: it has not its turn, or acts on nothing. */
  now(): StandingHold[] | null;
}

export function holdsInForce(clock: () => Date): HoldsInForce {
  let decided: ControlState | undefined;
  return {
    onEvent(event) {
      if (event.type === 'decided') decided = event.state;
    },
    now: () => (decided === undefined ? null : standingHolds(decided, clock())),
  };
}
