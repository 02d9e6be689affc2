import { type Change, changeKey, type SnapshotEnd } from '@ovn-steward/contracts/changes/change';
import { decodeChange } from '@ovn-steward/contracts/changes/change-codec';
import { SetDigest } from '@ovn-steward/contracts/identity/ids';
import type { Log, LogRecord } from '@ovn-steward/shared/log/log';

/**
 * What a reader of the log makes of it: the newest of each key, older and repeated deliveries
 * dropped.
 */
export interface Folded {
  readonly state: ReadonlyMap<string, Change>;
  /**
   * Ends of full reads that reported another count or digest than what the reader held then, by
   * stream; of the last end only.
   */
  readonly disagreeing: ReadonlyMap<string, string>;
  /** How many ends disagreed at all. */
  readonly disagreements: number;
}

export function fold(log: readonly Change[]): Folded {
  const state = new Map<string, Change>();
  const newest = new Map<string, Change>();
  const disagreeing = new Map<string, string>();
  let disagreements = 0;
  for (const change of log) {
    const last = newest.get(change.stream);
    if (
      last &&
      (change.epoch < last.epoch || (change.epoch === last.epoch && change.seq <= last.seq))
    )
      continue;
    newest.set(change.stream, change);
    if (change.type === 'put' || change.type === 'omitted') state.set(changeKey(change), change);
    if (change.type === 'delete') state.delete(changeKey(change));
    if (change.type !== 'snapshot-end') continue;
    const wrong = disagreement(change, state);
    if (wrong === undefined) disagreeing.delete(change.stream);
    else disagreeing.set(change.stream, wrong);
    if (wrong !== undefined) disagreements += 1;
  }
  return { state, disagreeing, disagreements };
}

/** What a folded log holds of a stream: uid → object, or the size of what was omitted. */
export const contentsIn = ({ state }: Folded, stream = 's'): Record<string, unknown> =>
  Object.fromEntries(
    [...state.values()].flatMap((stored): [string, unknown][] => {
      if (stored.stream !== stream) return [];
      return stored.type === 'put'
        ? [[stored.uid, stored.object]]
        : stored.type === 'omitted'
          ? [[stored.uid, `${stored.bytes} bytes`]]
          : [];
    }),
  );

/** As `contentsIn` of a log in which every full read's end agrees. */
export function contentsOf(log: readonly Change[], stream = 's'): Record<string, unknown> {
  const folded = fold(log);
  if (folded.disagreements > 0)
    throw new Error(
      `${folded.disagreements} full reads disagree with the log: ${[...folded.disagreeing.values()].join('; ')}`,
    );
  return contentsIn(folded, stream);
}

function disagreement(change: SnapshotEnd, state: ReadonlyMap<string, Change>): string | undefined {
  const digest = new SetDigest();
  for (const stored of state.values())
    if ((stored.type === 'put' || stored.type === 'omitted') && stored.stream === change.stream)
      digest.add(stored.hash);
  const { count, digest: reported }: SnapshotEnd = change;
  if (count === digest.count && reported === digest.toString()) return undefined;
  return `The end of epoch ${change.epoch} of ${change.stream} reports ${count} objects with digest ${reported}, the log holds ${digest.count} with ${digest.toString()}.`;
}

/** All records of a partition. */
export async function recordsIn(
  log: Pick<Log, 'read' | 'watermarks'>,
  topic: string,
  partition: number,
): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  const { high } = await log.watermarks(topic, partition);
  for (let next = 0n; next < high;) {
    const batch = await log.read(topic, partition, next, 1000);
    records.push(...batch.records);
    next = batch.next;
  }
  return records;
}

/** The changes of a cluster among records; what cannot be read is left out. */
export const changesIn = (records: readonly LogRecord[], cluster: string): Change[] =>
  records.flatMap((record) => {
    if (!record.key.startsWith(`${cluster}/`)) return [];
    const read = decodeChange(record);
    return 'change' in read ? [read.change] : [];
  });
