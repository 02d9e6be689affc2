import { Change, changeKey } from '@ovn-steward/shared/events/change';
import { SourceId } from '@ovn-steward/shared/events/reference';
import { REPLAY_OF } from '@ovn-steward/shared/dead-letters/replay-dead-letter';
import { kubernetesStream } from '@ovn-steward/shared/kinds';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import type { LogMirror, MirrorEntry, StreamNote } from './mirror';

/** The one thing a record is about. */
export interface ToldEntity {
  readonly source: SourceId;
  readonly kind: string;
  readonly uid: string;
}

/** What a record of the log says, as far as a mirror holds it. */
export type Told =
  /** `replayed`: it was set aside once, and sent again by hand; its position is of the past. */
  | {
      readonly type: 'entity';
      readonly note: StreamNote;
      readonly entity: ToldEntity;
      readonly entry: MirrorEntry | null;
      readonly replayed: boolean;
    }
  | { readonly type: 'stream'; readonly note: StreamNote }
  /** Nobody knows what it says, but compaction keeps it instead of what was said before. */
  | { readonly type: 'unreadable'; readonly entity: ToldEntity };

/** What a record under a key of this cluster says; undefined for other clusters' records, and for those that say nothing a mirror holds. */
export function toldBy(record: LogRecord, cluster: string): Told | undefined {
  if (!record.key.startsWith(`${cluster}/`)) return undefined;
  const entity = entityOf(record.key.slice(cluster.length + 1));
  const told = record.value === null ? tombstone(record, entity) : changeOf(record);
  return told ?? (entity && { type: 'unreadable', entity });
}

/** `source/kind/uid`, where a stream's own records have `_type` for the kind. */
function entityOf(key: string): ToldEntity | undefined {
  const [, name, kind, uid] = /^([^/]+)\/([^/_][^/]*)\/(.+)$/s.exec(key) ?? [];
  const source = SourceId.safeParse(name);
  return source.success && kind !== undefined && uid !== undefined
    ? { source: source.data, kind, uid }
    : undefined;
}

function tombstone({ headers }: LogRecord, entity: ToldEntity | undefined): Told | undefined {
  const [epoch, seq] = [Number(headers['epoch']), Number(headers['seq'])];
  const stream = headers['stream'];
  if (!entity || !stream || !Number.isSafeInteger(epoch) || !Number.isSafeInteger(seq))
    return undefined;
  return {
    type: 'entity',
    note: { stream, source: entity.source, epoch, seq },
    entity,
    entry: null,
    replayed: Object.hasOwn(headers, REPLAY_OF),
  };
}

function changeOf({ key, value, headers }: LogRecord): Told | undefined {
  const parsed = Change.safeParse(parsedJson(value));
  if (!parsed.success || changeKey(parsed.data) !== key) return undefined;
  const change = parsed.data;
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
  { source, kind }: ToldEntity,
  mirror: Pick<LogMirror, 'streamHolding'>,
): string =>
  mirror.streamHolding(source, kind) ?? (source === 'kubernetes' ? kubernetesStream(kind) : source);
