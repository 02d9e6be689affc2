import type { AppendAck } from '@ovn-steward/shared/log/log';
import type { SourceId } from '@ovn-steward/contracts/identity/reference';

/** What the log last said of one row or object. */
export interface MirrorEntry {
  /**
   * `contentHash` of what was published; empty while in doubt, so that it equals nothing and its
   * content, or its deletion, is published again.
   */
  readonly hash: string;
  readonly namespace?: string;
  readonly name: string;
}

/** One entry as it will be once the log has acknowledged it; `entry` null is a removal. */
export interface MirrorWrite {
  readonly kind: string;
  readonly uid: string;
  readonly entry: MirrorEntry | null;
}

/** Whose a stream is: the `id` and the `source` of a `Source`. */
export interface StreamOwner {
  readonly id: string;
  readonly source: SourceId;
}

/** Where published changes of one stream stand in the log. */
export interface LogPlace {
  /** The offsets they got, in order; those that follow each other as one. */
  readonly offsets: readonly AppendAck[];
  /** The position of the last of them in its stream. */
  readonly epoch: number;
  readonly seq: number;
}

/**
 * The collector's memory of what it has published: (stream, kind, uid) → entry, and the epochs. The
 * kind is part of the key because OVSDB keeps uuids unique per table only (ovsdb-server(7), "uuid"
 * in insert).
 *
 * A step is first published, then committed. A collector that dies in between is as one that another
 * collector took over from: what was published and not committed lies in the log behind the mirror's
 * position, where `catchUpMirror` finds it. So a mirror that outlives its process serves only a
 * collector that catches up first; else a row would be lost that was published, not yet recorded,
 * and deleted before the restart.
 *
 * Every call has happened when it returns, or throws and has changed nothing; what happened
 * survives the death of the process. Epochs survive a power failure, too. The rest need not, as
 * long as what is lost is the newest: entries and position go back together.
 */
export interface Mirror {
  /**
   * A number greater than any this stream is known to have had, and at least `atLeast`; records the
   * stream's owner and the kinds it holds.
   */
  openEpoch(stream: string, owner: StreamOwner, kinds: readonly string[], atLeast: number): number;
  /**
   * The streams of a source as of their last epoch, for reporting that a source cannot be reached.
   * Those known only from the log, which does not name its owner, count for every owner of the same
   * `source`.
   */
  streamsOf(
    owner: StreamOwner,
  ): readonly { readonly stream: string; readonly kinds: readonly string[] }[];
  get(stream: string, kind: string, uid: string): MirrorEntry | undefined;
  /** Every (kind, uid) held, those in doubt included. Not to be interleaved with writes. */
  keys(stream: string): Iterable<readonly [kind: string, uid: string]>;
  /** `place` moves the position behind these changes, unless something else lies between. */
  commit(stream: string, writes: readonly MirrorWrite[], place?: LogPlace): void;
  close(): void;
}

/** What a record says of its stream. */
export interface MirroredStream {
  readonly stream: string;
  readonly source: SourceId;
  readonly epoch: number;
  readonly seq: number;
  /** Where the record names them. */
  readonly kinds?: readonly string[];
}

/** How far a stream is known. */
export interface MirroredPosition {
  /** The last record before the position. */
  readonly epoch: number;
  readonly seq: number;
  /** The greatest epoch given or read; may be ahead of the position. */
  readonly opened: number;
}

/** What a record of the log changes in a mirror. */
export interface MirrorFold {
  write(stream: string, write: MirrorWrite): void;
  updateStream(state: MirroredStream): void;
}

/**
 * A mirror that can be made from the log: it knows up to where it holds what the log says. What is
 * committed behind the position, since something else lies between, is read once more by the next
 * catch-up.
 */
export interface LogMirror extends Mirror {
  /** The next offset to read; 0 in a new mirror. */
  position(): bigint;
  /** Undefined for a stream nothing is known of. */
  positionOf(stream: string): MirroredPosition | undefined;
  /** The stream of a source that holds a kind. */
  streamHolding(source: SourceId, kind: string): string | undefined;
  /** All that `work` does, and the position moved to `next`: together, or not at all. */
  fold(next: bigint, work: (into: MirrorFold) => void): void;
  /** Forgets everything but the epochs and whose the streams are; the position is 0 again. */
  reset(): void;
}
