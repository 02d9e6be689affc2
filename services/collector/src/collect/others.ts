import { isAfter } from '@ovn-steward/contracts/changes/is-after';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { CHANGES } from '@ovn-steward/shared/log/topics';
import { putInDoubt } from './catch-up';
import type { PublishedChanges } from '../stream/deliver-step';
import type { LogMirror, Mirror, MirroredStream } from '../mirror/mirror';
import { OurPositions, ownMirror } from './own-mirror';
import { streamOf, type ReadRecord, readRecord } from '../mirror/read-record';

export interface OthersOptions {
  readonly mirror: LogMirror;
  readonly log: Pick<Log, 'read'>;
  readonly cluster: string;
  /** As the streams'; a collector that begins an epoch below it cannot have replaced us. */
  readonly firstEpoch: number;
  /** As changes are dated, ms since the epoch. */
  readonly now: () => number;
  /**
   * Reads are at least this far apart, in milliseconds: other clusters may share the partition, and
   * their records are read, too.
   */
  readonly everyMs: number;
  /** Milliseconds that only grow. */
  readonly monotonic: () => number;
  readonly onFailed: (error: string) => void;
}

const BATCH = 1000;

/**
 * The last record under a key, and whether readers that know all that was said before take it for
 * what it is.
 */
interface LastRecord {
  readonly record: ReadRecord;
  readonly counts: boolean;
  /** The greatest position said under the key. */
  readonly epoch: number;
  readonly seq: number;
}

/**
 * Watches for records of this cluster that this collector did not append where it did: from one
 * that was replaced and had something on its way, from a retry that arrived late, from a hand that
 * sent set-aside records again. Readers drop most of them, but under their keys they are the last
 * word for compaction. What they are about is put in doubt, and their streams are to be read again.
 */
export class OthersWatch {
  /** The mirror to collect with: remembers what is ours. */
  readonly mirror: Mirror;
  readonly #options: OthersOptions;
  readonly #ours = new OurPositions();
  #checkedAt = -Infinity;

  constructor(options: OthersOptions) {
    this.#options = options;
    this.mirror = ownMirror(options, this.#ours);
  }

  /**
   * Call after each step is committed.
   *
   * @returns the streams that must be read again, since another collector wrote of them.
   * @throws Failure `leadership-lost` when a newer collector is at work.
   */
  async disturbed(published: PublishedChanges): Promise<readonly string[]> {
    const { mirror, monotonic, everyMs, onFailed } = this.#options;
    const now = monotonic();
    if (mirror.position() === published.offsets.at(-1)!.next || now - this.#checkedAt < everyMs)
      return [];
    this.#checkedAt = now;
    try {
      const end = published.offsets.at(-1)!.next;
      const records = await this.#lastRecords(published.partition, end);
      return records === undefined ? [] : this.#fold(records, end);
    } catch (error) {
      if (error instanceof Failure && error.code === 'leadership-lost') throw error;
      onFailed(messageOf(error)); // the position stays, and the same records are read again
      return [];
    }
  }

  /**
   * Reads what lies between the position and the end of the step just committed; the keys in it fit
   * in memory, as the steps did.
   * @returns undefined when the log does not show all of it yet.
   */
  async #lastRecords(partition: number, end: bigint): Promise<Iterable<LastRecord> | undefined> {
    const { mirror, log, cluster } = this.#options;
    const records = new Map<string, LastRecord>();
    for (let next = mirror.position(); next < end;) {
      const batch = await log.read(CHANGES, partition, next, BATCH);
      if (batch.next <= next) return undefined;
      next = batch.next;
      for (const record of batch.records) {
        const entry = record.offset < end ? readRecord(record, cluster) : undefined;
        if (entry) records.set(record.key, this.#lastRecordOf(entry, records.get(record.key)));
      }
    }
    return records.values();
  }

  #lastRecordOf(entry: ReadRecord, before: LastRecord | undefined): LastRecord {
    if (entry.type === 'unreadable' || entry.type === 'unreadable-news')
      return { record: entry, counts: false, epoch: 0, seq: 0 };
    const { mirror, cluster, firstEpoch } = this.#options;
    const position = mirror.positionOf(entry.state.stream) ?? { epoch: 0, seq: 0, opened: 0 };
    const isReplay = entry.type === 'entity' && entry.replayed;
    const isOurs = !isReplay && this.#ours.includes(entry.state);
    if (!isOurs && entry.state.epoch > Math.max(position.opened, firstEpoch))
      throw replaced(cluster, entry.state);
    const latest = before && isAfter(before, entry.state) ? before : entry.state;
    const isNews = isAfter(entry.state, position) && latest === entry.state;
    return { record: entry, counts: isOurs && isNews, epoch: latest.epoch, seq: latest.seq };
  }

  /** Puts what others said in doubt. @returns the streams of it. */
  #fold(words: Iterable<LastRecord>, end: bigint): string[] {
    const { mirror } = this.#options;
    const disturbed = new Set<string>();
    mirror.fold(end, (into) => {
      for (const { record, counts } of words) {
        const stream = streamOfRecord(record, mirror);
        if ('state' in record && isAfter(record.state, mirror.positionOf(stream)))
          into.updateStream(record.state);
        if (counts) continue;
        if ('entity' in record) {
          const name = record.type === 'entity' ? record.entry?.name : undefined;
          putInDoubt(stream, record.entity, mirror, into, name);
        }
        disturbed.add(stream);
      }
    });
    return [...disturbed];
  }
}

const streamOfRecord = (entry: ReadRecord, mirror: LogMirror): string => {
  if (entry.type === 'unreadable') return streamOf(entry.entity, mirror);
  return entry.type === 'unreadable-news' ? entry.stream : entry.state.stream;
};

const replaced = (cluster: string, { stream, epoch }: MirroredStream): Failure =>
  new Failure(
    'leadership-lost',
    `Another collector of cluster ${cluster} is at work (it began epoch ${epoch} of ${stream}): this one stops. Run one collector per cluster, or let them choose by a Lease.`,
  );
