import type { LogBatch } from '@ovn-steward/shared/log/log';
import type { WaitingControl } from '../store/control-inbox';
import { type ControlState, foldControls, NOTHING_DECIDED } from './control-state';
import { newestOf, nothingRead } from './newest-of';
import { readControl } from './read-control';

/**
 * What people decided about a cluster, by the records of its control topic from the first to the last and what waits in an inbox; sets nothing aside and writes nothing.
 * @throws Failure as reading does.
 */
export async function decidedIn(
  read: (from: bigint) => Promise<Pick<LogBatch, 'records' | 'next'>>,
  waiting: readonly WaitingControl[],
  cluster: string,
): Promise<ControlState> {
  const newest = nothingRead();
  let decided = NOTHING_DECIDED;
  for (let from = 0n; ;) {
    const { records, next } = await read(from);
    if (records.length === 0 && next === from) break;
    decided = foldControls(decided, cluster, newestOf(records, newest).fold);
    from = next;
  }
  const told = waiting.map(({ key, value }) => ({
    key,
    read: readControl({ key, value: Buffer.from(value) }),
  }));
  return foldControls(decided, cluster, told);
}
