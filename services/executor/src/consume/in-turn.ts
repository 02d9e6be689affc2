import { pause } from '@ovn-steward/shared/pause';
import type { Log } from '@ovn-steward/shared/log/log';
import { FINDINGS, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import type { Acting } from './acting';
import type { ExecutorStore } from '../store/executor-store';

/**
 * Acting for as long as this executor has its cluster's partition, within one reading of the
 * findings.
 */
export interface Turn {
  /** Fires with the reading's, and when acting failed: the reading has to end then. */
  readonly signal: AbortSignal;
  assigned(partition: number): void;
  /** Settles when acting has stopped: only then may another executor have the partition. */
  revoked(partition: number): Promise<void>;
  ended(): Promise<void>;
  /** @throws what acting failed with. */
  throwIfFailed(): void;
}

const POLL_INTERVAL_MS = 50;

export interface TurnOptions {
  readonly log: Pick<Log, 'commit' | 'watermarks'>;
  readonly store: Pick<ExecutorStore, 'position'>;
  /** Without it, nothing is done about any partition. */
  readonly acting?: Acting;
}

/** Acting begins when the findings are read to what was their end when the partition was given. */
export function actInTurn(
  { acting, log, store }: TurnOptions,
  group: string,
  signal: AbortSignal,
): Turn {
  const failed = new AbortController();
  const own = acting && partitionOf(acting.cluster, PARTITIONS);
  let running: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  const fence = (): Promise<void> =>
    log.commit(group, [
      { topic: FINDINGS, partition: own!, offset: store.position(own!)?.next ?? 0n },
    ]);
  // With half of the findings, ceilings that all of them exceed would not apply, and a claim whose
  // finding is not read yet would appear resolved.
  const readToEnd = async (partition: number, until: AbortSignal): Promise<void> => {
    const { low, high } = await log.watermarks(FINDINGS, partition);
    while (low < high && (store.position(partition)?.next ?? 0n) < high && !until.aborted)
      await pause(POLL_INTERVAL_MS, until);
  };
  const stop = async (): Promise<void> => {
    running?.stop.abort();
    await running?.ended;
    running = undefined;
  };
  return {
    signal: AbortSignal.any([signal, failed.signal]),
    assigned(partition) {
      if (acting === undefined || partition !== own || running !== undefined) return;
      const stopping = new AbortController();
      const acts = AbortSignal.any([signal, stopping.signal]);
      const ended = readToEnd(partition, acts)
        .then(() => (acts.aborted ? undefined : acting.act(partition, fence, acts)))
        .catch((error: unknown) => {
          if (!stopping.signal.aborted && !signal.aborted) failed.abort(error);
        });
      running = { stop: stopping, ended };
    },
    revoked: async (partition) => (partition === own ? stop() : undefined),
    ended: stop,
    throwIfFailed() {
      if (failed.signal.aborted) throw failed.signal.reason;
    },
  };
}
