import type { Origin } from './origin';

/**
 * The event log, seen from the services. Two adapters keep the same promises (`log.contract.ts`):
 * Kafka, and one file on disk. No type of either appears here.
 *
 * Delivery is at least once and ordered within a partition. Offsets are bigint, only grow, and have
 * gaps (compaction, transaction markers): continue at `next`, never at the last offset plus one,
 * and never count by subtracting.
 */
export interface Log {
  /**
   * Creates the topics that are missing and verifies the others. Resolves with a sentence for each
   * setting that keeps more, or for longer, than its spec: that harms nothing. Throws Failure
   * `log-topic-drift` when one differs in anything else: what was kept so far was not kept as
   * promised.
   */
  ensureTopics(specs: readonly TopicSpec[]): Promise<readonly string[]>;

  /**
   * Appends all records, in order and next to each other, or none. Settled means durable. At least
   * one record, and together no larger (`batchBytes`) than the topic's `maxMessageBytes`:
   * `inBatches` cuts what is. After `log-unavailable` they may have been appended all the same:
   * send the same again, and readers drop what they have. Throws `log-record-refused` (too large,
   * or a timestamp more than an hour ahead), `log-topic-unknown`, `log-forbidden`, `log-full`,
   * `log-locked`, `log-unavailable`.
   */
  append(topic: string, partition: number, records: readonly NewRecord[]): Promise<AppendAck>;

  /**
   * At most `max` records from `from` on; `from` 0 is the beginning, wherever that is by now.
   * Throws `log-position-lost`.
   */
  read(topic: string, partition: number, from: bigint, max: number): Promise<LogBatch>;

  /**
   * Follows the topics until the signal aborts; then settles after the running handler. Whatever
   * the handler throws ends the reading and is thrown on; nothing is retried here, since only the
   * caller knows which position it has stored.
   */
  consume(options: ConsumeOptions): Promise<void>;

  /**
   * Publishes how far a group has come. For lag displays only: reading resumes where the caller
   * says. While this log consumes for the group it also proves that the partitions are still ours:
   * throws `log-partition-lost` when another reader has one.
   */
  commit(group: string, positions: readonly Position[]): Promise<void>;
  committed(group: string): Promise<readonly Position[]>;

  watermarks(topic: string, partition: number): Promise<Watermarks>;

  /**
   * Waits for appends under way; running `consume` calls end. Whatever is called afterwards throws
   * `log-closed`.
   */
  close(): Promise<void>;
}

interface Topic {
  readonly name: string;
  /** Fixed for ever: a change would break order and compaction. */
  readonly partitions: number;
  /** The largest batch, and so the largest record, by `batchBytes`. */
  readonly maxMessageBytes: number;
}

/** Keeps the last record of every key; the names and meanings are Kafka's. */
export interface CompactedTopic extends Topic {
  readonly cleanup: 'compact';
  /** Everything younger is kept, superseded or not. */
  readonly minCompactionLagMs: number;
  /** Superseded records older than this are removed soon. */
  readonly maxCompactionLagMs: number;
  /**
   * A tombstone stays this long after compaction met it, for readers that have seen what it
   * deletes.
   */
  readonly deleteRetentionMs: number;
}

/** Keeps everything for a time. */
export interface ExpiringTopic extends Topic {
  readonly cleanup: 'delete';
  readonly retentionMs: number;
}

export type TopicSpec = CompactedTopic | ExpiringTopic;

export type Headers = Readonly<Record<string, string>>;

export interface NewRecord {
  readonly key: string;
  /** null is a tombstone: the key is deleted. An empty value is not. */
  readonly value: Buffer | string | null;
  readonly headers?: Headers;
  /** ms since the epoch; ages are counted from it. */
  readonly timestamp: number;
}

export interface LogRecord {
  readonly offset: bigint;
  readonly key: string;
  readonly value: Buffer | null;
  readonly headers: Headers;
  readonly timestamp: number;
  /**
   * Who wrote it, where that is verified (`signedLog`); undefined where the log needs no
   * signatures, as the embedded one.
   */
  readonly origin?: Origin;
}

export interface LogBatch {
  readonly topic: string;
  readonly partition: number;
  readonly records: readonly LogRecord[];
  /** The position to store once the batch is applied: where reading continues. */
  readonly next: bigint;
}

export interface AppendAck {
  /** The offset of the first record appended; the others follow without a gap. */
  readonly first: bigint;
  readonly next: bigint;
}

export interface Position {
  readonly topic: string;
  readonly partition: number;
  /** The next offset wanted. */
  readonly offset: bigint;
}

export interface Watermarks {
  /** The oldest offset that may still be read. Retention moves it, compaction does not. */
  readonly low: bigint;
  /** The offset the next record will get, or less than that by what is hidden from readers. */
  readonly high: bigint;
}

export interface ConsumeOptions {
  /**
   * Readers of one group share the partitions where the log is shared by processes; an embedded log
   * has one reader a group.
   */
  readonly group: string;
  readonly topics: readonly string[];
  /**
   * Where the caller's own store says to resume; called for every partition given to this reader,
   * possibly again later. 0 is the beginning. A position whose records were removed unread, or
   * beyond the end (the log was replaced), ends the reading with Failure `log-position-lost`:
   * rebuild from 0.
   */
  readonly resumeAt: (topic: string, partition: number) => bigint | Promise<bigint>;
  /**
   * Called when a partition is no longer this reader's, before it can be given again: another
   * reader has it now or soon, and what is kept open for it may be closed. `onBatch` is not running
   * for it meanwhile. Also called for every partition held when the reading ends. What it throws
   * ends the reading, once it was called for the others.
   */
  readonly onRevoked?: (topic: string, partition: number) => void | Promise<void>;
  /**
   * Called with true whenever this reader joined its group, also where that gave it no partition,
   * and with false when it is no member any more. Must not throw.
   */
  readonly onMember?: (isMember: boolean) => void;
  /**
   * Gets at least one record, all of one partition, in order; never called again before it settled.
   */
  readonly onBatch: (batch: LogBatch) => Promise<void>;
  readonly signal: AbortSignal;
  /** The most records a batch may have; 500 by default. */
  readonly maxRecords?: number;
}
