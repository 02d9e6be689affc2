import { z } from 'zod';
import { SourceId } from '../identity/reference';

/**
 * What the collector says about the world, one record at a time, in one order per cluster (topic
 * `steward.changes.v1`).
 *
 * A *stream* is the unit that is listed and followed as a whole: the OVN Northbound database
 * (`ovn-nb`), the Southbound one (`ovn-sb`), or one Kubernetes kind (`kubernetes/Pod`). Within a
 * stream (epoch, seq) only grows; a reader drops whatever is not newer than what it has, which
 * makes a repeated delivery harmless and fences a collector that was replaced. An epoch begins
 * whenever the whole of a stream was read again.
 *
 * Nothing orders two streams against each other: compare `observedThrough`.
 */
const position = {
  version: z.literal(1),
  /** Deterministic: a retry repeats it, never invents another. */
  id: z.string().min(1),
  cluster: z.string().min(1),
  source: SourceId,
  stream: z.string().min(1),
  epoch: z.number().int().positive(),
  /** Counts from 1 within the epoch of the stream. */
  seq: z.number().int().positive(),
  /**
   * Where the source stood: an OVSDB transaction id, a Kubernetes resourceVersion; empty when the
   * source has none.
   */
  cursor: z.string(),
  /**
   * RFC 3339, UTC: when the collector learned of it (from the recording's clock when replaying).
   */
  observedAt: z.string(),
};

/** What every change has, of whatever type. */
export const ChangePosition = z.object({ type: z.string().min(1), ...position });

const identity = {
  kind: z.string().min(1),
  uid: z.string().min(1),
  namespace: z.string().optional(),
  name: z.string(),
};

/** The row or object as it is now, trimmed to what rules read (see the collector's projections). */
export const Put = z.object({
  type: z.literal('put'),
  ...position,
  ...identity,
  object: z.record(z.string(), z.unknown()),
  /** First 16 hex digits of sha256 over the canonical JSON of `object`. */
  hash: z.string(),
});
export type Put = z.infer<typeof Put>;

/**
 * The row or object exists, but its content is not published: it is larger than the log takes.
 * Until a `put` or `delete` of the same thing follows, nothing of its stream may be taken for
 * absent.
 */
export const Omitted = z.object({
  type: z.literal('omitted'),
  ...position,
  ...identity,
  /** The size of the content that is not published, as JSON. */
  bytes: z.number().int().positive(),
  hash: z.string(),
});
export type Omitted = z.infer<typeof Omitted>;

/** The row or object was deleted: the source said so, or a full read no longer had it. */
export const Delete = z.object({ type: z.literal('delete'), ...position, ...identity });
export type Delete = z.infer<typeof Delete>;

/** A full read begins; until the matching end the stream's completeness is what it was before. */
export const SnapshotBegin = z.object({ type: z.literal('snapshot-begin'), ...position });

/** The stream was read in full; from here on absence is knowledge. */
export const SnapshotEnd = z.object({
  type: z.literal('snapshot-end'),
  ...position,
  /** The kinds this stream holds completely: OVN's tables, or the one Kubernetes kind. */
  kinds: z.array(z.string()),
  count: z.number().int().nonnegative(),
  /**
   * Sum modulo 2^64 of the hashes of all present objects, 16 hex digits: order does not matter, one
   * change moves it in O(1).
   */
  digest: z.string(),
});
export type SnapshotEnd = z.infer<typeof SnapshotEnd>;

/**
 * The stream cannot be known now: reads are refused, the kind is not served, the recording does not
 * say it is whole. Whatever was known of it is no longer evidence of absence.
 */
export const Unavailable = z.object({
  type: z.literal('unavailable'),
  ...position,
  kinds: z.array(z.string()),
  /**
   * `not-served`: the API server has no such resource. `forbidden`: we may not read it.
   * `unreachable`: the source does not answer. `not-listed`: the recording does not hold the kind
   * completely. `broken`: something in it could not be read. Open enum.
   */
  reason: z.enum(['not-served', 'forbidden', 'unreachable', 'not-listed', 'broken']),
  /** One sentence for a person. */
  detail: z.string(),
});
export type Unavailable = z.infer<typeof Unavailable>;

/** Nothing else happened up to `observedThrough`: this, not the last change, is the watermark. */
export const Heartbeat = z.object({
  type: z.literal('heartbeat'),
  ...position,
  observedThrough: z.string(),
});
export type Heartbeat = z.infer<typeof Heartbeat>;

export const Change = z.discriminatedUnion('type', [
  Put,
  Omitted,
  Delete,
  SnapshotBegin,
  SnapshotEnd,
  Unavailable,
  Heartbeat,
]);
export type Change = z.infer<typeof Change>;

/**
 * The record key: an entity's own key for what concerns one, one key per stream and type for the
 * rest, so that compaction keeps the last of each.
 */
export function changeKey(change: Change): string {
  const { cluster, source } = change;
  return change.type === 'put' || change.type === 'omitted' || change.type === 'delete'
    ? `${cluster}/${source}/${change.kind}/${change.uid}`
    : `${cluster}/${source}/_${change.type}/${change.stream}`;
}
