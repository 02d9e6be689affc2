import { isAfter, type StreamPosition } from '@ovn-steward/contracts/changes/is-after';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log, LogBatch } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { LogMirror, MirrorFold, MirroredStream } from '../mirror/mirror';
import { streamOf, type ReadRecord, readRecord, type RecordEntity } from '../mirror/read-record';

export interface MirrorCatchUpOptions {
  readonly mirror: LogMirror;
  readonly log: Pick<Log, 'read' | 'watermarks'>;
  readonly cluster: string;
  /** Called after every batch: records read so far, and the offset reached of the one to reach. */
  readonly onProgress?: (read: number, reached: bigint, end: bigint) => void;
}

/** Records held in memory at a time. */
const BATCH = 1000;

/**
 * Makes the mirror hold what the log says of the cluster, by reading from the mirror's position to
 * the end: what another collector published meanwhile, everything when the mirror is new, and what
 * a crash kept from being committed. The position moves with every batch, so it may be killed and
 * goes on.
 *
 * Whatever the log says in an order that readers drop, or in a form that cannot be read, is put in
 * doubt: the next full read publishes it again or publishes its deletion. An epoch that no
 * collector can have yet is not taken for the stream's.
 *
 * @returns how many records were read.
 * @throws Failure of the log; and the signal's reason when it fires.
 */
export async function catchUpMirror(
  { mirror, log, cluster, onProgress }: MirrorCatchUpOptions,
  signal?: AbortSignal,
): Promise<number> {
  const partition = partitionOf(cluster, PARTITIONS);
  const { high } = await log.watermarks(CHANGES, partition);
  let read = 0;
  // Beyond the end, the log says that the position is lost.
  for (let more = mirror.position() !== high; more; more = mirror.position() < high) {
    signal?.throwIfAborted();
    const batch = await nextBatch(log, mirror, partition);
    if (batch.next <= mirror.position()) return read; // hidden from readers: transaction markers, or removed meanwhile
    mirror.fold(batch.next, (into) => foldBatch(batch, cluster, mirror, into));
    read += batch.records.length;
    onProgress?.(read, batch.next, high);
  }
  return read;
}

/**
 * A position that the log no longer has says nothing of what became of the entries: they are all
 * learned again.
 */
async function nextBatch(
  log: Pick<Log, 'read'>,
  mirror: LogMirror,
  partition: number,
): Promise<LogBatch> {
  try {
    return await log.read(CHANGES, partition, mirror.position(), BATCH);
  } catch (error) {
    if (
      !(error instanceof Failure && error.code === 'log-position-lost') ||
      mirror.position() === 0n
    )
      throw error;
    mirror.reset();
    return log.read(CHANGES, partition, 0n, BATCH);
  }
}

function foldBatch(
  { records }: LogBatch,
  cluster: string,
  mirror: LogMirror,
  into: MirrorFold,
): void {
  const newest = new Map<string, MirroredStream>();
  const updateAll = (): void => newest.forEach((state) => into.updateStream(state));
  for (const record of records) {
    const entry = readRecord(record, cluster);
    if (entry?.type === 'unreadable') updateAll(); // its stream may be known by now
    // A full read follows in any case: that repairs the unreadable record.
    if (entry && entry.type !== 'unreadable-news') foldOne(entry, newest, mirror, into);
  }
  updateAll();
}

/** @param newest the newest word of each stream in this batch; grows. */
function foldOne(
  known: Exclude<ReadRecord, { type: 'unreadable-news' }>,
  newest: Map<string, MirroredStream>,
  mirror: LogMirror,
  into: MirrorFold,
): void {
  if (known.type === 'unreadable')
    return putInDoubt(streamOf(known.entity, mirror), known.entity, mirror, into);
  const { state } = known;
  const inBatch = newest.get(state.stream);
  const before: StreamPosition | undefined = inBatch ?? mirror.positionOf(state.stream);
  const newer = isAfter(state, before);
  if (newer) newest.set(state.stream, { ...inBatch, ...state });
  if (known.type === 'stream') return;
  const { entity, entry } = known;
  if (newer) return into.write(state.stream, { ...entity, entry });
  const held = mirror.get(state.stream, entity.kind, entity.uid);
  const repeated =
    state.epoch === before?.epoch && !known.replayed && (entry ? held?.hash === entry.hash : !held);
  if (!repeated) putInDoubt(state.stream, entity, mirror, into, entry?.name);
}

/**
 * It stands last under its key, where readers drop it: once compaction has removed what was said
 * before, the state is not known.
 */
export function putInDoubt(
  stream: string,
  { kind, uid }: RecordEntity,
  mirror: Pick<LogMirror, 'get'>,
  into: Pick<MirrorFold, 'write'>,
  name = '',
): void {
  into.write(stream, { kind, uid, entry: { name, ...mirror.get(stream, kind, uid), hash: '' } });
}
