import type { Change } from '@ovn-steward/contracts/changes/change';
import { decodeChange } from '@ovn-steward/contracts/changes/change-codec';
import { changeName, isStreamRecord } from '@ovn-steward/contracts/changes/change-name';
import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import { kubernetesStream } from '@ovn-steward/shared/kinds';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import type { LogMirror, MirrorEntry, MirroredStream } from './mirror';

/** The one entity a record is about. */
export interface RecordEntity {
  readonly source: SourceId;
  readonly kind: string;
  readonly uid: string;
}

/** What a record of the log says, as far as a mirror holds it. */
export type ReadRecord =
  /** `replayed`: it was set aside once, and sent again by hand; its position is of the past. */
  | {
      readonly type: 'entity';
      readonly state: MirroredStream;
      readonly entity: RecordEntity;
      readonly entry: MirrorEntry | null;
      readonly replayed: boolean;
    }
  | { readonly type: 'stream'; readonly state: MirroredStream }
  /** What it says is not known, but compaction keeps it instead of what was said before. */
  | { readonly type: 'unreadable'; readonly entity: RecordEntity }
  /**
   * A record about a stream that cannot be read or believed: readers do not know the stream until
   * it is read in full.
   */
  | { readonly type: 'unreadable-news'; readonly stream: string };

/**
 * What a record under a key of this cluster says; undefined for other clusters' records, and for
 * those that say nothing a mirror holds.
 */
export function readRecord(record: LogRecord, cluster: string): ReadRecord | undefined {
  const name = changeName(record.key);
  if (name?.cluster !== cluster) return undefined;
  const { kind, uid, source } = name;
  const read = decodeChange(record);
  if ('change' in read) return recordOfChange(read.change, read.replayed);
  if ('tombstone' in read) return recordOfChange(read.tombstone, read.replayed);
  // Readers refuse it; and what only a later version knows may say anything.
  if (!isStreamRecord(kind)) return { type: 'unreadable', entity: { source, kind, uid } };
  // The next heartbeat says all that an unreadable one did.
  return 'forgotten' in read || kind === '_heartbeat'
    ? undefined
    : { type: 'unreadable-news', stream: name.stream };
}

function recordOfChange(change: Change, replayed: boolean): ReadRecord {
  const { stream, source, epoch, seq } = change;
  const state = {
    stream,
    source,
    epoch,
    seq,
    ...((change.type === 'snapshot-end' || change.type === 'unavailable') && {
      kinds: change.kinds,
    }),
  };
  if (change.type !== 'put' && change.type !== 'omitted' && change.type !== 'delete')
    return { type: 'stream', state };
  const { kind, uid, name, namespace } = change;
  const entry =
    change.type === 'delete'
      ? null
      : { hash: change.hash, name, ...(namespace !== undefined && { namespace }) };
  return { type: 'entity', state, entity: { source, kind, uid }, entry, replayed };
}

/**
 * Where a mirror holds the subject of a record that does not say its stream: `ovn-nb`,
 * `kubernetes/Pod`, unless the log knows better.
 */
export const streamOf = (
  { source, kind }: RecordEntity,
  mirror: Pick<LogMirror, 'streamHolding'>,
): string =>
  mirror.streamHolding(source, kind) ?? (source === 'kubernetes' ? kubernetesStream(kind) : source);
