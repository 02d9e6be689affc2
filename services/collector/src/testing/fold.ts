import { type Change, changeKey, type SnapshotEnd } from '@ovn-steward/shared/events/change';
import { SetDigest } from '@ovn-steward/shared/ids';

/** What a reader of the log makes of it: the newest of each key, older and repeated deliveries dropped. */
function fold(log: readonly Change[], seen: (change: Change) => void = () => undefined): Map<string, Change> {
  const state = new Map<string, Change>();
  const newest = new Map<string, Change>();
  for (const change of log) {
    const last = newest.get(change.stream);
    if (last && (change.epoch < last.epoch || (change.epoch === last.epoch && change.seq <= last.seq))) continue;
    newest.set(change.stream, change);
    if (change.type === 'put') state.set(changeKey(change), change);
    if (change.type === 'delete') state.delete(changeKey(change));
    checkDigest(change, state);
    seen(change);
  }
  return state;
}

/** What the folded log holds of a stream: uid → object. */
export const contentsOf = (log: readonly Change[], stream = 's'): Record<string, unknown> =>
  Object.fromEntries([...fold(log).values()].flatMap((it) => (it.type === 'put' && it.stream === stream ? [[it.uid, it.object]] : [])));

function checkDigest(change: Change, state: ReadonlyMap<string, Change>): void {
  if (change.type !== 'snapshot-end') return;
  const digest = new SetDigest();
  for (const it of state.values()) if (it.type === 'put' && it.stream === change.stream) digest.add(it.hash);
  const { count, digest: told }: SnapshotEnd = change;
  if (count !== digest.count || told !== digest.toString()) {
    throw new Error(`The end of epoch ${change.epoch} tells ${count} objects with digest ${told}, the log holds ${digest.count} with ${digest.toString()}.`);
  }
}
