import { Change } from '@ovn-steward/contracts/changes/change';
import { implausible, lastEpoch } from '@ovn-steward/contracts/changes/change-bounds';
import { changeName, isNews, keyContradiction } from '@ovn-steward/contracts/changes/change-name';
import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import { REPLAY_OF } from '@ovn-steward/contracts/dead-letters/replay-dead-letter';
import { kubernetesStream } from '@ovn-steward/shared/kinds';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import type { LogMirror, MirrorEntry, StreamState } from './mirror';

/** The one thing a record is about. */
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
      readonly note: StreamState;
      readonly entity: RecordEntity;
      readonly entry: MirrorEntry | null;
      readonly replayed: boolean;
    }
  | { readonly type: 'stream'; readonly note: StreamState }
  /** Nobody knows what it says, but compaction keeps it instead of what was said before. */
  | { readonly type: 'unreadable'; readonly entity: RecordEntity }
  /** News of a stream which nobody can read or believe: readers do not know the stream until it is read in full. */
  | { readonly type: 'unreadable-news'; readonly stream: string };

/** What a record under a key of this cluster says; undefined for other clusters' records, and for those that say nothing a mirror holds. */
export function readRecord(record: LogRecord, cluster: string): ReadRecord | undefined {
  const name = changeName(record.key);
  if (name?.cluster !== cluster) return undefined;
  const { kind, uid, source } = name;
  if (!isNews(kind)) {
    const entity = { source, kind, uid };
    const entry = record.value === null ? tombstone(record, entity) : changeOf(record);
    return entry ?? { type: 'unreadable', entity };
  }
  if (record.value === null) return undefined;
  // The next heartbeat says all that an unreadable one did.
  const unread: ReadRecord | undefined =
    kind === '_heartbeat' ? undefined : { type: 'unreadable-news', stream: name.stream };
  return changeOf(record) ?? unread;
}

/** One of an epoch that nobody can have yet says no more than one without any. */
function tombstone(
  { headers, timestamp }: LogRecord,
  entity: RecordEntity,
): ReadRecord | undefined {
  const [epoch, seq] = [Number(headers['epoch']), Number(headers['seq'])];
  const stream = headers['stream'];
  if (!stream || !Number.isSafeInteger(epoch) || !Number.isSafeInteger(seq)) return undefined;
  if (epoch > lastEpoch(timestamp)) return undefined;
  return {
    type: 'entity',
    note: { stream, source: entity.source, epoch, seq },
    entity,
    entry: null,
    replayed: Object.hasOwn(headers, REPLAY_OF),
  };
}

/** Undefined for what readers refuse: what is no change, stands under another's key, or tells what its writer cannot have yet. */
function changeOf({ key, value, headers, timestamp }: LogRecord): ReadRecord | undefined {
  const { success, data: change } = Change.safeParse(parsedJson(value));
  if (!success || keyContradiction(key, change) !== undefined) return undefined;
  if (implausible(change, timestamp) !== undefined) return undefined;
  const { stream, source, epoch, seq } = change;
  const note = {
    stream,
    source,
    epoch,
    seq,
    ...((change.type === 'snapshot-end' || change.type === 'unavailable') && {
      kinds: change.kinds,
    }),
  };
  if (change.type !== 'put' && change.type !== 'omitted' && change.type !== 'delete')
    return { type: 'stream', note };
  const { kind, uid, name, namespace } = change;
  const entry =
    change.type === 'delete'
      ? null
      : { hash: change.hash, name, ...(namespace !== undefined && { namespace }) };
  return {
    type: 'entity',
    note,
    entity: { source, kind, uid },
    entry,
    replayed: Object.hasOwn(headers, REPLAY_OF),
  };
}

function parsedJson(value: Buffer | null): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return undefined;
  }
}

/** Where a mirror holds the subject of a record that does not say its stream: `ovn-nb`, `kubernetes/Pod`, unless the log knows better. */
export const streamOf = (
  { source, kind }: RecordEntity,
  mirror: Pick<LogMirror, 'streamHolding'>,
): string =>
  mirror.streamHolding(source, kind) ?? (source === 'kubernetes' ? kubernetesStream(kind) : source);
