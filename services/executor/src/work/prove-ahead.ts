import type { Item } from '../gate/item';
import { proveAndPrepare, type Ready } from './prove-and-prepare';
import type { ClusterWork } from './work';

/** How many are proven while one is carried out: as many as the API server is asked at once. */
const MOST_AHEAD = 8;
/**
 * A proof is made so long before its turn, at the pace of the last one: systems that answer slowly
 * are not asked for proofs that nobody will use. Milliseconds.
 */
const AHEAD_MS = 500;

/**
 * Proves what comes next while one thing is carried out, so that nobody waits for reads that could
 * have been made meanwhile. Claims, sends and outcomes stay one after the other. A proof made ahead
 * is an earlier look and no more: it is acted on only while it is younger than `proofAge`, after the
 * same last checks, under the same guards; where any of these says that something changed, the
 * thing is proven again (`perform`).
 */
export interface ProofsAhead {
  /**
   * Begins with those that follow on this one and have the same action, unless begun.
   * @param paceMs how long the one before took.
   */
  begin(index: number, paceMs: number): void;
  /** The proof of this one where it was made ahead; undefined where it was not, or says that nothing may be done. Never rejects. */
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
  const running = AbortSignal.any([signal, ended.signal]);
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
    begin(index, paceMs) {
      const { action } = go[index]!;
      const last = Math.min(index + MOST_AHEAD, index + AHEAD_MS / paceMs, go.length - 1);
      for (let next = index + 1; next <= last; next += 1) {
        if (action?.on !== 'ovn-nb' || go[next]!.action !== action) return;
        if (!proofs.has(next)) proofs.set(next, proven(go[next]!));
      }
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
