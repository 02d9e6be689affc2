import type { SourceStatus } from './source-status';

/** How far one source of a cluster is known to who reads its findings. */
export interface SourceKnowledge extends SourceStatus {
  /** Whether the reader has every finding that the status is about. */
  readonly caughtUp: boolean;
}

/**
 * What a status says to who has read the findings of its partition up to `position`, the next
 * offset to read: caught up means at or after `findingsThrough`.
 */
export const knowledgeOf = (status: SourceStatus, position: bigint): SourceKnowledge => ({
  ...status,
  caughtUp: position >= BigInt(status.findingsThrough),
});
