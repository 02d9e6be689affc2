import {
  type ActionRecord,
  isActionTerminating,
  NOT_FINISHED,
} from '@ovn-steward/contracts/actions/action';
import type { Ledger } from '../ledger/ledger';
import { recordRemoved } from './record-removed';
import { observeTarget } from './observe-target';
import type { ClusterWork } from './work';

/**
 * What Kubernetes accepted for deletion and is not known to be deleted, also where that takes
 * longer than it may.
 */
export const terminatingIn = (
  ledger: Pick<Ledger, 'list'>,
  cluster: string,
): readonly ActionRecord[] => [
  ...ledger.list({ cluster, state: 'terminating' }),
  ...ledger.list({ cluster, state: 'failed', code: NOT_FINISHED }),
];

const SOONEST_MS = 1000;
const LATEST_MS = 60_000;

/**
 * When each is checked: a controller that is there needs a second, one that is not may need a day,
 * and a check costs what its proof cost.
 * @param steady milliseconds, of a clock that is never set back.
 */
export function terminatingChecks(steady: () => number = () => performance.now()): {
  /** Of these those to be checked now; others are forgotten. */
  due(all: readonly ActionRecord[]): readonly ActionRecord[];
} {
  const seen = new Map<string, { readonly first: number; last: number }>();
  return {
    due(all) {
      const ids = new Set(all.map(({ id }) => id));
      for (const id of seen.keys()) if (!ids.has(id)) seen.delete(id);
      const now = steady();
      return all.filter(({ id }) => {
        const known = seen.get(id);
        if (known === undefined) {
          seen.set(id, { first: now, last: now });
          return true;
        }
        const pause = Math.min(Math.max((now - known.first) / 10, SOONEST_MS), LATEST_MS);
        if (now - known.last < pause) return false;
        known.last = now;
        return true;
      });
    },
  };
}

/**
 * Reads whether it is deleted: then it is done, or put back where its owner came meanwhile. One
 * that exceeds its time is recorded as failed, and still checked: a namesake of it may exist by
 * then.
 * @param finishWithinMs since it was claimed.
 * @throws Failure when it cannot be known.
 */
export async function finish(
  record: ActionRecord,
  work: ClusterWork,
  { now, finishWithinMs }: { readonly now: number; readonly finishWithinMs: number },
  signal: AbortSignal,
): Promise<ActionRecord> {
  const { ledger, systems } = work;
  const seen = await observeTarget(record.target, systems, signal);
  await work.belonging.check(signal);
  if (seen === 'gone')
    return recordRemoved(
      {
        seen,
        claim: record,
        code: 'done',
        reason: 'its finalizers are done, and it is gone',
        write: (entry) => ledger.goOn(record, entry),
      },
      work,
      signal,
    );
  if (record.state === 'failed') return record;
  const since = Date.parse(record.claimedAt ?? record.at);
  if (now - since > finishWithinMs)
    return ledger.goOn(record, {
      state: 'failed',
      code: NOT_FINISHED,
      reason: `it was deleted, and still waits for its finalizers after ${Math.round(finishWithinMs / 1000)} s: see whether its controller is at work (steward doctor draws what it waits for); it is recorded when it is gone`,
    });
  if (record.code !== 'terminating') return record;
  // An owner that returns meanwhile may lose its port with the object: that is said as soon as it
  // is seen.
  return recordRemoved(
    {
      seen: 'terminating',
      claim: record,
      code: 'done',
      reason: 'it was deleted',
      write: (entry) => (entry.code === 'terminating' ? record : ledger.goOn(record, entry)),
    },
    work,
    signal,
  );
}

/** Records that a person wants it back before it is deleted: it is made again then. */
export const recordWanted = (
  record: ActionRecord,
  by: string,
  { ledger }: ClusterWork,
): ActionRecord =>
  isActionTerminating(record)
    ? ledger.goOn(record, {
        state: record.state,
        code: record.code as 'terminating',
        reason: `${by} wants it back: Kubernetes takes no deletion back, so it is made again when it is gone`,
      })
    : record;
