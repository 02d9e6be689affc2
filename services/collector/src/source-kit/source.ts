import type { SourceId } from '@ovn-steward/contracts/identity/reference';

/** Why a stream cannot be known; the words are those of `Unavailable` in the change contract. */
export type UnavailableReason =
  'not-served' | 'forbidden' | 'unreachable' | 'not-listed' | 'broken';

/**
 * One thing a source saw, in the order of its stream. What it means is decided in one place,
 * `collect.ts`.
 *
 * `begin` … `complete` bracket a full read: what the mirror holds and the read did not show is
 * deleted. Outside such a bracket `object` and `gone` are increments. `progress` says that nothing
 * else happened up to `through` (RFC 3339, UTC).
 */
export type Observation =
  | { type: 'begin'; stream: string; kinds: readonly string[] }
  | {
      type: 'object';
      stream: string;
      kind: string;
      uid: string;
      namespace?: string;
      name: string;
      object: Record<string, unknown>;
      /** `contentHash` of the object, where that was made in another thread. */
      hash?: string;
    }
  | { type: 'gone'; stream: string; kind: string; uid: string; namespace?: string; name: string }
  | { type: 'complete'; stream: string; kinds: readonly string[]; cursor: string }
  | {
      type: 'unavailable';
      stream: string;
      kinds: readonly string[];
      reason: UnavailableReason;
      detail: string;
    }
  | { type: 'progress'; stream: string; cursor: string; through: string };

/**
 * Something to observe: a database, an API server, a recording of either. It starts nothing before
 * `observe` is iterated, reads on only when the previous batch was taken, and ends when the signal
 * fires or nothing more can come. A stream belongs to one source.
 */
export interface Source {
  /** Unique among the sources of a collector. */
  readonly id: string;
  readonly source: SourceId;
  /** Every stream of which it will say that it is complete, or that it is unavailable. */
  readonly streams: readonly string[];
  observe(signal: AbortSignal): AsyncIterable<readonly Observation[]>;
}
