import type { LogBatch } from '@ovn-steward/shared/log/log';
import { type ControlState, foldControls, NOTHING_DECIDED } from './control-state';
import { readControl } from './read-control';

/**
 * What people decided about a cluster, by the records of its control topic from the first to the last; sets nothing aside and writes nothing.
 * @throws Failure as reading does.
 */
export async function decidedIn(
  read: (from: bigint) => Promise<Pick<LogBatch, 'records' | 'next'>>,
  cluster: string,
): Promise<ControlState> {
  let decided = NOTHING_DECIDED;
  for (let from = 0n; ;) {
    const { records, next } = await read(from);
    if (records.length === 0 && next === from) return decided;
    const told = records.map((record) => ({ key: record.key, read: readControl(record) }));
    decided = foldControls(decided, cluster, told);
    from = next;
  }
}
