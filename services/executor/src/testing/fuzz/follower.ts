import type { Log } from '@ovn-steward/shared/log/log';
import { CONTROL } from '@ovn-steward/shared/log/topics';
import {
  type ControlState,
  NOTHING_DECIDED,
  type OneTimeRequest,
  withoutDone,
} from '../../control/control-state';
import { hiddenIn, newestOf, nothingRead } from '@ovn-steward/contracts/control/newest-of';
import { readControlAndPlan } from '../../control/read-control-and-plan';
import { RECORDED_CLUSTER } from '../recorded-engine';
import { foldControls } from '../../control/fold-controls';

/**
 * The product's way of following what people decide (`followControl`), without its timers: it is
 * read when the history says so.
 */
export interface Follower {
  /** As it was read last. */
  state(): ControlState;
  /** Reads the topic to its end, and says again what lies under records that count for nothing. */
  readOn(): Promise<ControlState>;
  forget(over: Iterable<OneTimeRequest>): void;
}

export function createFollower(log: Log, partition: number): Follower {
  const newest = nothingRead();
  let position = 0n;
  let decided: ControlState = NOTHING_DECIDED;
  return {
    state: () => decided,
    async readOn() {
      for (;;) {
        const batch = await log.read(CONTROL, partition, position, 500);
        if (batch.records.length === 0 && batch.next === position) break;
        position = batch.next;
        const { fold } = newestOf(batch.records, newest, readControlAndPlan);
        if (fold.length > 0) decided = foldControls(decided, RECORDED_CLUSTER, fold);
      }
      const hidden = hiddenIn(newest);
      if (hidden.length > 0) await log.append(CONTROL, partition, hidden);
      return decided;
    },
    forget: (over) => void (decided = withoutDone(decided, new Set(over))),
  };
}
