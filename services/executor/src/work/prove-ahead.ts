import { allowManyListeners } from '@ovn-steward/shared/allow-many-listeners';
import type { Item } from '../gate/item';
import { proveAndPrepare, type Ready } from './prove-and-prepare';
import type { ClusterWork } from './work';

/**
 * How many are carried out together, and proven meanwhile: few enough that a proof is young when
 * its turn comes.
 */
const MOST_TOGETHER = 64;
/**
 * They are no more than are done in this time at the pace of the last: where systems answer slowly,
 * less is under way at once, and no proof is made that nobody will use. Milliseconds.
 */
const TOGETHER_MS = 1000;

/**
 * How many from this one on may be carried out together: rows that need the same action, each
 * another row. 0 where it is to be carried out by itself.
 * @param go in the order in which they are carried out.
 * @param paceMs how long each of the last took.
 */
export function togetherFrom(go: readonly Item[], index: number, paceMs: number): number {
  const action = go[index]?.action;
  if (action?.on !== 'ovn-nb') return 0;
  const most = Math.min(MOST_TOGETHER, Math.floor(TOGETHER_MS / paceMs), go.length - index);
  const targets = new Set<string>();
  for (let count = 0; count < most; count += 1) {
    const { action: other, finding } = go[index + count]!;
    if (other !== action || targets.has(finding.remedy.target.uid)) return count;
    targets.add(finding.remedy.target.uid);
  }
  return most;
}

/**
 * Proves what comes next while others are carried out, so that nobody waits for reads that could
 * have been made meanwhile. A proof made ahead is an earlier check and no more: it is acted on only
 * while it is younger than `proofAge`, after the same last checks, under the same guards; where any
 * of these says that something changed, the thing is proven again (`perform`).
 */
export interface ProofsAhead {
  /** Begins with so many from this one on, unless begun. */
  begin(index: number, count: number): void;
  /**
   * The proof of this one where it was made ahead; undefined where it was not, or says that nothing
   * may be done. Never rejects.
   */
  take(index: number): Promise<Ready | undefined>;
  /** Ends those under way, of which nobody hears any more. */
  end(): void;
}

/** @param go in the order in which they are carried out. */
export function proofsAhead(
  go: readonly Item[],
  work: ClusterWork,
  signal: AbortSignal,
): ProofsAhead {
  const ended = new AbortController();
  const running = allowManyListeners(AbortSignal.any([signal, ended.signal]));
  const proofs = new Map<number, Promise<Ready | undefined>>();
  const proven = async (item: Item): Promise<Ready | undefined> => {
    try {
      // What is claimed already, or ended, is settled by other means.
      if (work.ledger.stateOf(item.id)?.state === 'claimed') return undefined;
      const ready = await proveAndPrepare(item, work, false, running);
      return 'state' in ready ? undefined : ready;
    } catch {
      return undefined; // it is proven again in its turn, and fails there
    }
  };
  return {
    begin(index, count) {
      for (let next = index; next < index + count; next += 1)
        if (!proofs.has(next)) proofs.set(next, proven(go[next]!));
    },
    async take(index) {
      const ready = await proofs.get(index);
      proofs.delete(index);
      const isFresh =
        ready !== undefined && performance.now() - ready.proven.readAt <= work.proofAgeMs / 2;
      return isFresh ? ready : undefined;
    },
    end: () => ended.abort(),
  };
}
