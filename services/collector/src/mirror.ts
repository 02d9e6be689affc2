/** What the log last said of one row or object. */
export interface MirrorEntry {
  /** `contentHash` of what was published; empty while in doubt, so that it equals nothing. */
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

/**
 * The collector's memory of what it has told: (stream, kind, uid) → entry, and the epochs. The kind is part of the key because
 * OVSDB keeps uuids unique per table only (ovsdb-server(7), "uuid" in insert).
 *
 * A batch is first put in doubt, then published, then settled. Whatever dies in between, the next full read finds the
 * doubtful entries: those still there are told again, those that vanished meanwhile are told as deleted. Settling alone
 * would lose a row that was published, not yet noted, and deleted before the restart.
 *
 * Every call has happened when it returns, or throws and has changed nothing; what happened survives the death of the process. Epochs and
 * doubts survive a power failure, too. A settlement need not: what it leaves in doubt is only told once more.
 */
export interface Mirror {
  /** A number greater than any this stream was given before; notes which source the stream belongs to and the kinds it holds. */
  openEpoch(stream: string, source: string, kinds: readonly string[]): number;
  /** The streams of a source as of their last epoch, for telling that a source cannot be reached. */
  streamsOf(source: string): readonly { readonly stream: string; readonly kinds: readonly string[] }[];
  get(stream: string, kind: string, uid: string): MirrorEntry | undefined;
  /** Every (kind, uid) held, doubtful ones included. Not to be interleaved with writes. */
  keys(stream: string): Iterable<readonly [kind: string, uid: string]>;
  doubt(stream: string, writes: readonly MirrorWrite[]): void;
  settle(stream: string, writes: readonly MirrorWrite[]): void;
  close(): void;
}
