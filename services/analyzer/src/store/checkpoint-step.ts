import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { StreamState } from '@ovn-steward/judgement/world/streams';
import type { MovedEntity } from '@ovn-steward/judgement/world/world';
import type { Headers } from '@ovn-steward/shared/log/log';

/** A record waiting to be published; `value` null is a tombstone. */
export interface OutgoingRecord {
  readonly seq: number;
  readonly topic: string;
  readonly key: string;
  readonly value: string | null;
  readonly headers: Headers;
}

/** One of them before it is stored. */
export type Unsent = Omit<OutgoingRecord, 'seq'>;

/** What one batch of changes brought about in one cluster. */
export interface ClusterStep {
  readonly cluster: string;
  readonly now: string;
  readonly moved: readonly MovedEntity[];
  readonly streams: readonly StreamState[];
  readonly findings: readonly Finding[];
  readonly forgotten: readonly string[];
}

/**
 * Everything one batch of changes brought about, saved in one transaction with the position it was
 * read up to.
 */
export interface CheckpointStep {
  readonly position: bigint;
  /** By the analyzer's clock, in milliseconds. */
  readonly at: number;
  /**
   * Whether findings are kept in step with the state; not yet while a lost checkpoint is rebuilt.
   */
  readonly judged: boolean;
  readonly clusters: readonly ClusterStep[];
  readonly outgoing: readonly Unsent[];
}
