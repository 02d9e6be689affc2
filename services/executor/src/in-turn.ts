import { FINDINGS, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import type { ExecutorOptions } from './executor';

/** Acting for as long as this executor has its cluster's partition, within one reading of the findings. */
export interface Turn {
  /** Fires with the reading's, and when acting failed: the reading has to end then. */
  readonly signal: AbortSignal;
  given(partition: number): void;
  /** Settles when acting has stopped: only then may another executor have the partition. */
  taken(partition: number): Promise<void>;
  ended(): Promise<void>;
  /** @throws what acting failed with. */
  throwIfFailed(): void;
}

export function inTurn({ acting, log, store }: Pick<ExecutorOptions, 'acting' | 'log' | 'store'>, group: string, signal: AbortSignal): Turn {
  const failed = new AbortController();
  const own = acting && partitionOf(acting.cluster, PARTITIONS);
  let running: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  const fence = (): Promise<void> => log.commit(group, [{ topic: FINDINGS, partition: own!, offset: store.position(own!)?.next ?? 0n }]);
  const stop = async (): Promise<void> => {
    running?.stop.abort();
    await running?.ended;
    running = undefined;
  };
  return {
    signal: AbortSignal.any([signal, failed.signal]),
    given(partition) {
      if (acting === undefined || partition !== own || running !== undefined) return;
      const stopping = new AbortController();
      const ended = acting.act(partition, fence, AbortSignal.any([signal, stopping.signal])).catch((error: unknown) => {
        if (!stopping.signal.aborted && !signal.aborted) failed.abort(error);
      });
      running = { stop: stopping, ended };
    },
    taken: async (partition) => (partition === own ? stop() : undefined),
    ended: stop,
    throwIfFailed() {
      if (failed.signal.aborted) throw failed.signal.reason;
    },
  };
}
