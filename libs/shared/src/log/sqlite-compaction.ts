import type { Database, Transaction } from './sqlite-database';
import type { CompactedTopic, ExpiringTopic } from './log';
import type { StoredPartition, Topics } from './sqlite-topics';

/** The most records one call examines: some milliseconds of work. */
const STEP_RECORDS = 250;

export interface CompactionStep {
  /** Records examined in this call. */
  readonly examined: number;
  readonly removed: number;
  /** Whether there is more to do now: call again after letting others run. */
  readonly more: boolean;
}

interface Dirty {
  readonly pos: number;
  readonly offset: number;
  readonly key: string;
  readonly timestamp: number;
  readonly tombstone: 0 | 1;
}

interface Work {
  examined: number;
  removed: number;
}

/** What a transaction did, and what is to be remembered of it once it is committed. */
interface Cleaned {
  readonly work: Work;
  readonly moved: readonly (() => void)[];
}

const statementsOf = (db: Database) => ({
  dirty: db.prepare<[number, number, number], Dirty>(
    'SELECT pos, "offset", key, timestamp, value IS NULL AS tombstone FROM record WHERE partition = ? AND "offset" >= ? ORDER BY "offset" LIMIT ?',
  ),
  survivor: db.prepare<[number, string], { offset: number }>(
    'SELECT "offset" FROM survivor WHERE partition = ? AND key = ?',
  ),
  survive: db.prepare(
    'INSERT INTO survivor VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET "offset" = excluded."offset"',
  ),
  forget: db.prepare('DELETE FROM survivor WHERE partition = ? AND key = ? AND "offset" = ?'),
  removeAt: db.prepare('UPDATE record SET remove_at = ? WHERE pos = ?'),
  remove: db.prepare('DELETE FROM record WHERE partition = ? AND "offset" = ?'),
  ended: db.prepare<[number, number], { partition: number; offset: number; key: string }>(
    'SELECT partition, "offset", key FROM record WHERE remove_at <= ? LIMIT ?',
  ),
  moveCleaned: db.prepare('UPDATE partition SET cleaned = ? WHERE id = ?'),
  moveLow: db.prepare('UPDATE partition SET low = ? WHERE id = ?'),
});

/**
 * Cleaning as Kafka's log cleaner does it, in steps: superseded records go once the one that
 * replaces them is older than the topic's lag, tombstones go their retention after compaction met
 * them, expired records go from the front. Offsets stay as they are. A step costs by the records
 * that became due, not by the size of the log.
 */
export class SqliteCompaction {
  readonly #topics: Topics;
  readonly #sql: ReturnType<typeof statementsOf>;
  readonly #cleaned: Transaction<(now: number) => Cleaned>;

  constructor(db: Database, topics: Topics) {
    this.#topics = topics;
    this.#sql = statementsOf(db);
    this.#cleaned = db.transaction((now: number) => this.#clean(now));
  }

  step(now: number): CompactionStep {
    const { work, moved } = this.#cleaned.immediate(now);
    moved.forEach((apply) => apply()); // only once the transaction is committed
    return { ...work, more: work.examined >= STEP_RECORDS };
  }

  #clean(now: number): Cleaned {
    const work: Work = { examined: 0, removed: 0 };
    const moved: (() => void)[] = [];
    this.#endTombstones(now, work);
    for (const partition of this.#topics.all()) {
      if (work.examined >= STEP_RECORDS) break;
      const { topic } = partition;
      if (topic.cleanup === 'compact' && partition.cleaned < partition.high) {
        const cleaned = this.#compact(partition, topic, now, work);
        moved.push(() => void (partition.cleaned = cleaned));
      } else if (topic.cleanup === 'delete' && partition.low < partition.high) {
        const low = this.#expire(partition, topic, now, work);
        moved.push(() => void (partition.low = low));
      }
    }
    return { work, moved };
  }

  #endTombstones(now: number, work: Work): void {
    const ended = this.#sql.ended.all(now, STEP_RECORDS - work.examined);
    for (const { partition, offset, key } of ended) {
      work.removed += this.#sql.remove.run(partition, offset).changes;
      this.#sql.forget.run(partition, key, offset);
      work.examined += 1;
    }
  }

  /** Goes on from `cleaned`; every record met becomes its key's only one. */
  #compact(partition: StoredPartition, topic: CompactedTopic, now: number, work: Work): number {
    const { survivor, remove, survive, removeAt, moveCleaned } = this.#sql;
    let cleaned = partition.cleaned;
    for (const record of this.#due(partition, cleaned, now - topic.minCompactionLagMs, work)) {
      const before = survivor.get(partition.id, record.key);
      if (before) work.removed += remove.run(partition.id, before.offset).changes;
      survive.run(partition.id, record.key, record.offset);
      if (record.tombstone) removeAt.run(now + topic.deleteRetentionMs, record.pos);
      work.examined += 1;
      cleaned = record.offset + 1;
    }
    if (cleaned > partition.cleaned) moveCleaned.run(cleaned, partition.id);
    return cleaned;
  }

  /** Removes from the front, up to the first record that is young enough. */
  #expire(partition: StoredPartition, topic: ExpiringTopic, now: number, work: Work): number {
    let low = partition.low;
    for (const record of this.#due(partition, low, now - topic.retentionMs, work)) {
      work.removed += this.#sql.remove.run(partition.id, record.offset).changes;
      work.examined += 1;
      low = record.offset + 1;
    }
    if (low > partition.low) this.#sql.moveLow.run(low, partition.id);
    return low;
  }

  /**
   * The records from `from` on, up to the first that is younger than `until`; no more than this
   * step may still examine.
   */
  #due(partition: StoredPartition, from: number, until: number, { examined }: Work): Dirty[] {
    const records: Dirty[] = [];
    for (const record of this.#sql.dirty.iterate(partition.id, from, STEP_RECORDS - examined)) {
      if (record.timestamp > until) break;
      records.push(record);
    }
    return records;
  }
}
