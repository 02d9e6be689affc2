import { Failure, type FailureCode, messageOf, retryOf } from '../errors';
import { retrying } from '../retrying';
import type { Log, LogBatch } from './log';
import { TOPICS } from './topics';

/** Up to where a store has applied a partition, and since when it says so. */
export interface ReadPosition {
  /** The next offset to read. */
  readonly next: bigint;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Where a follower keeps how far it has come, with what it knows. */
export interface FollowedState {
  /**
   * Where a partition goes on and when that was stored, in milliseconds; undefined for one never
   * read.
   */
  position(partition: number): ReadPosition | undefined;
  /** Forgets what was read of one partition, or of all. */
  forget(partition?: number): void;
}

export type FollowTopicEvent =
  | { readonly type: 'assigned'; readonly partition: number; readonly from: bigint }
  | { readonly type: 'revoked'; readonly partition: number }
  | {
      readonly type: 'read-failed';
      readonly error: string;
      readonly code?: FailureCode;
      readonly retryInMs: number;
    }
  /** What was known is forgotten, and read again from the log's beginning. */
  | {
      readonly type: 'rebuilding';
      readonly partitions: readonly number[] | 'all';
      readonly why: string;
    };

export interface FollowTopicOptions {
  readonly log: Log;
  readonly group: string;
  /** A compacted topic. */
  readonly topic: string;
  readonly state: FollowedState;
  readonly clock: () => Date;
  /** Stores the batch and its position as one. */
  readonly onBatch: (batch: LogBatch) => void | Promise<void>;
  /** Must not throw. */
  readonly onEvent: (event: FollowTopicEvent) => void;
  /**
   * Milliseconds to wait before the given attempt (1, 2, …) at reading. Default: 0.5 s, doubling up
   * to 30 s.
   */
  readonly backOff?: (attempt: number) => number;
}

/**
 * Follows a compacted topic from where the state says until the signal fires, again after failures
 * that may pass.
 * @throws Failure that trying again cannot mend.
 */
export const followTopic = (options: FollowTopicOptions, signal: AbortSignal): Promise<void> =>
  readAgain((onProgress) => readOnce(options, signal, onProgress), options, signal);

/**
 * Reads until the signal fires: again after failures that may pass, and from the log's beginning
 * where the position was lost.
 * @param read one reading; calls `onProgress` when something was read, so that the next failure
 *   counts as the first.
 * @throws Failure that trying again cannot mend.
 */
export async function readAgain(
  read: (onProgress: () => void) => Promise<void>,
  { state, onEvent, backOff }: Pick<FollowTopicOptions, 'state' | 'onEvent' | 'backOff'>,
  signal: AbortSignal,
): Promise<void> {
  const isLost = (error: unknown): boolean =>
    error instanceof Failure && error.code === 'log-position-lost';
  await retrying(
    async (onProgress) => {
      while (!signal.aborted) await read(onProgress);
    },
    {
      isFinal: (error) => !isLost(error) && retryOf(error, 'never') === 'never',
      backOff,
      onRetry(error, retryInMs) {
        if (isLost(error)) {
          state.forget();
          onEvent({ type: 'rebuilding', partitions: 'all', why: messageOf(error) });
        }
        onEvent({
          type: 'read-failed',
          error: messageOf(error),
          ...(error instanceof Failure && { code: error.code }),
          retryInMs,
        });
      },
    },
    signal,
  );
}

const readOnce = (
  { log, group, topic, state, clock, onBatch, onEvent }: FollowTopicOptions,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<void> =>
  log.consume({
    group,
    topics: [topic],
    signal,
    resumeAt: (_, partition) => {
      const from = resumeFrom(topic, { state, clock, onEvent }, partition);
      onEvent({ type: 'assigned', partition, from });
      return from;
    },
    onRevoked: (_, partition) => onEvent({ type: 'revoked', partition }),
    onBatch: async (batch) => {
      await onBatch(batch);
      await log.commit(group, [{ topic, partition: batch.partition, offset: batch.next }]);
      onProgress();
    },
  });

/**
 * Where a partition of a compacted topic goes on: where it was left, or at its beginning, with what
 * was known of it forgotten, where it was not read for longer than tombstones stay: the log may no
 * longer hold the deletions since.
 */
export function resumeFrom(
  topic: string,
  { state, clock, onEvent }: Pick<FollowTopicOptions, 'state' | 'clock' | 'onEvent'>,
  partition: number,
): bigint {
  const known = state.position(partition);
  if (known === undefined || clock().getTime() - known.at <= longestAbsence(topic))
    return known?.next ?? 0n;
  state.forget(partition);
  onEvent({
    type: 'rebuilding',
    partitions: [partition],
    why: `it was last read on ${new Date(known.at).toISOString()}, and deletions since may be gone from the log`,
  });
  return 0n;
}

/**
 * In milliseconds: a tombstone that was removed before we saw it would leave what it deletes
 * standing for ever.
 */
const longestAbsence = (name: string): number =>
  TOPICS.flatMap((it) =>
    it.name === name && it.cleanup === 'compact' ? [it.deleteRetentionMs] : [],
  )[0] ?? 0;
