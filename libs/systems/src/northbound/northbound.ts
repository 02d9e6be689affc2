import type { DatabaseSchema, Operation, OperationResult } from '@ovn-steward/ovsdb';

/** Refused as a whole: nothing was changed. `at` is the operation that refused, or `commit`. */
export interface RefusedTransaction {
  readonly is: 'refused';
  readonly error: string;
  readonly details?: string;
  readonly at: number | 'commit';
}

/** Committed, with one result for each operation. */
export interface CommittedTransaction {
  readonly is: 'committed';
  readonly results: readonly OperationResult[];
}

/**
 * A Northbound database as the executor uses it: read and changed by transactions and nothing else,
 * so that no answer comes from a copy. Of a raft cluster only the leader is used. Two
 * implementations keep the same contract (`northbound.contract.ts`).
 */
export interface Northbound {
  /** Where it is, for messages. */
  readonly where: string;
  /**
   * Which database this is: `cid:<raft cluster id>`, or `nb:<_uuid of the NB_Global row>` of a
   * standalone server.
   * @throws Failure.
   */
  identity(signal: AbortSignal): Promise<string>;
  /**
   * How many connections it has had so far, 0 before the first call: one more with every new
   * leader, and with every connection lost.
   */
  connections(): number;
  /** As the server has it now. @throws Failure. */
  schema(signal: AbortSignal): Promise<DatabaseSchema>;
  /**
   * Operations that change nothing, in one transaction: one consistent picture.
   * @throws Failure `source-unreachable`, or `input-foreign-schema`
   * when the database is no Northbound one.
   */
  read(
    operations: readonly Operation[],
    signal: AbortSignal,
  ): Promise<CommittedTransaction | RefusedTransaction>;
  /**
   * Changes the database, fenced: refused (`not owner`) once another executor has taken over
   * (`takeOver`).
   * @throws Failure `outcome-unknown` when it was sent and no answer came: it may be committed or
   *   not. Any other Failure means that nothing was sent.
   */
  write(
    operations: readonly Operation[],
    signal: AbortSignal,
  ): Promise<CommittedTransaction | RefusedTransaction>;
  /**
   * From now on only this one writes: an executor that took over before is refused. Repeated on
   * every new connection while no other took over.
   * @throws Failure `fenced` where another has taken over or stands by, and this one was opened so
   *   that it takes the lock from no other.
   */
  takeOver(signal: AbortSignal): Promise<void>;
  /**
   * Waits in the lock's queue: an executor that requests the lock before it takes over learns that
   * another acts here, though there is nothing to write yet. Takes the lock from no executor, and
   * allows no writing.
   */
  queueForLock(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
