import type { LogBatch } from '@ovn-steward/shared/log/log';
import type { ControlEntry } from '@ovn-steward/contracts/control/read-control';
import type { WaitingControl } from '../store/control-inbox';
import { type ControlState, NOTHING_DECIDED } from './control-state';
import { newestOf, nothingRead } from '@ovn-steward/contracts/control/newest-of';
import { readControlAndPlan } from './read-control-and-plan';
import { foldControls } from './fold-controls';

/** Reads from a position of the control topic on. */
export type ReadControls = (from: bigint) => Promise<Pick<LogBatch, 'records' | 'next'>>;

/**
 * Reads what people decided about a cluster, to the end of its control topic, and each time it is
 * called again what is new; sets nothing aside and writes nothing.
 * @param waiting what waits in an inbox, as of each call.
 * @throws Failure as reading does.
 */
export function decisionsReader(
  read: ReadControls,
  cluster: string,
  waiting: () => readonly WaitingControl[] = () => [],
): () => Promise<ControlState> {
  const newest = nothingRead();
  let decided = NOTHING_DECIDED;
  let from = 0n;
  return async () => {
    for (;;) {
      const { records, next } = await read(from);
      if (records.length === 0 && next === from)
        return foldControls(decided, cluster, waiting().map(entryOf));
      decided = foldControls(decided, cluster, newestOf(records, newest, readControlAndPlan).fold);
      from = next;
    }
  };
}

/**
 * What people decided about a cluster, by the records of its control topic from the first to the
 * last and what waits in an inbox; sets nothing aside and writes nothing.
 * @throws Failure as reading does.
 */
export async function decidedIn(
  read: ReadControls,
  waiting: readonly WaitingControl[],
  cluster: string,
): Promise<ControlState> {
  return decisionsReader(read, cluster, () => waiting)();
}

const entryOf = ({ key, value }: WaitingControl): ControlEntry => ({
  key,
  read: readControlAndPlan({ key, value: Buffer.from(value) }),
});
