import type { Log } from '@ovn-steward/shared/log/log';
import type { Checkpoint } from '../store/checkpoint';
import type { PartitionOptions } from './partition-options';

/** What happens beside the batches, for logs and metrics. */
export type AnalyzerEvent =
  /** The partition is ours from here on, read up to the position. */
  | {
      readonly type: 'partition-opened';
      readonly partition: number;
      readonly position: bigint;
      readonly clusters: readonly string[];
    }
  /**
   * Its checkpoint is not used: state is read from the log's beginning, findings from what was
   * published.
   */
  | { readonly type: 'partition-rebuilding'; readonly partition: number; readonly why: string }
  | { readonly type: 'partition-closed'; readonly partition: number }
  /** What people suppress cannot be read: what was suppressed stays so, and nothing new is. */
  | { readonly type: 'decisions-unread'; readonly partition: number; readonly error: string }
  /** How far sources are known could not be published: findings are, and it is tried again. */
  | { readonly type: 'status-unpublished'; readonly partition: number; readonly error: string }
  /** Another analyzer has it; nothing more of ours is published there. */
  | { readonly type: 'partition-lost'; readonly partition: number; readonly error: string }
  /** Reading ended; it begins again from the checkpoints after that time. */
  | {
      readonly type: 'failed';
      readonly error: string;
      readonly code?: string;
      readonly retryInMs: number;
    };

/**
 * One batch of the log: its records, how many of them could not be read, and how long it took to
 * judge and publish.
 */
export interface AnalyzedBatch {
  readonly partition: number;
  readonly records: number;
  readonly deadLetters: number;
  readonly seconds: number;
  /** Where the partition goes on. */
  readonly next: bigint;
}

export interface AnalyzerOptions extends Pick<
  PartitionOptions,
  'log' | 'grace' | 'version' | 'switches' | 'isProtected' | 'uninstalled' | 'only' | 'onApplied'
> {
  /**
   * Where what people suppress is read from, with its signers; nothing is suppressed by people
   * unless given.
   */
  readonly decisions?: Pick<Log, 'read'>;
  /** Opened when the partition is assigned, closed when it is lost. */
  readonly openCheckpoint: (partition: number) => Checkpoint;
  /** Dates what is published: the real time, or a recording's. */
  readonly clock: () => Date;
  /**
   * Called with every finding that is published, again when it is published again. Must not throw.
   */
  readonly onFindings?: NonNullable<PartitionOptions['onFindings']>;
  /**
   * Called with every batch once all it brought about is published; for metrics. Must not throw.
   */
  readonly onBatch?: (batch: AnalyzedBatch) => void;
  /** Must not throw. */
  readonly onEvent?: (event: AnalyzerEvent) => void;
  /**
   * Milliseconds to wait before the given attempt (1, 2, …) to read on after a failure. Default:
   * 0.5 s, doubling up to 30 s.
   */
  readonly backOff?: (attempt: number) => number;
}
