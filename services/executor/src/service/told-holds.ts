import type { ControlState } from '../control/control-state';
import { type StandingHold, standingHolds } from '../control/standing-holds';
import type { ExecutorNews } from './count-executor';

/** The holds in force, by what an executor tells. */
export interface ToldHolds {
  onEvent(event: ExecutorNews): void;
  /** Null while it does not follow what people decide: it has not its turn, or acts on nothing. */
  now(): StandingHold[] | null;
}

export function toldHolds(clock: () => Date): ToldHolds {
  let decided: ControlState | undefined;
  return {
    onEvent(event) {
      if (event.type === 'decided') decided = event.state;
    },
    now: () => (decided === undefined ? null : standingHolds(decided, clock())),
  };
}
