import type { Finding } from './finding';
import type { FindingChange } from './findings-table';
import { readFinding, readStatus, type TopicRecord } from './read-record';
import { knowledgeOf, type SourceKnowledge } from './source-knowledge';
import type { SourceStatus } from './source-status';
import { SCHEMA } from './sqlite-schema';

/** What is used of a SQLite driver: `better-sqlite3` and `node:sqlite` both have it. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
}
interface SqliteStatement {
  run(...values: (string | number)[]): unknown;
  get(...values: (string | number)[]): unknown;
  all(...values: (string | number)[]): unknown[];
}

/** A record with its offset, as clients of Kafka give it. */
export interface PositionedRecord extends TopicRecord {
  readonly offset: string | number | bigint;
}

/** Which of the two topics. */
export type Stream = 'findings' | 'status';

const POSITIONS: Readonly<Record<Stream, string>> = {
  findings: 'position',
  status: 'status_position',
};
const CONTENT: Readonly<Record<Stream, string>> = { findings: 'finding', status: 'source_status' };
/** Tombstones are kept for so long. */
const AWAY_SECONDS = 30 * 86_400;

/**
 * Findings, status and positions in one SQLite database. Records and the position behind them
 * change in one transaction, so a crash at any moment repeats records and neither loses nor invents
 * one. Several processes may share the file.
 */
export class SqliteTable {
  readonly #database: SqliteDatabase;
  readonly #prepared = new Map<string, SqliteStatement>();

  /** Makes what is missing in the database. */
  constructor(database: SqliteDatabase) {
    this.#database = database;
    database.exec('PRAGMA busy_timeout = 30000');
    database.exec(SCHEMA);
  }

  /**
   * Applies records of a partition in their order, and moves the position past them. Those before
   * the position were taken by another member of the group: they change nothing.
   */
  take(stream: Stream, partition: number, records: readonly PositionedRecord[]): FindingChange[] {
    return this.#inOneStep(() => {
      const changes: FindingChange[] = [];
      const known = this.#position(stream, partition) ?? 0;
      let next = known;
      for (const record of records) {
        const offset = Number(record.offset);
        if (offset < next) continue;
        next = offset + 1;
        const change =
          stream === 'findings'
            ? this.#takeFinding(partition, offset, record)
            : this.#takeStatus(partition, record);
        if (change !== undefined) changes.push(change);
      }
      if (next !== known)
        this.#run(
          `INSERT OR REPLACE INTO ${POSITIONS[stream]} (topic_partition, next) VALUES (?, ?)`,
          ...[partition, next],
        );
      return changes;
    });
  }

  /**
   * Where to continue in a partition whose first record is at `low`. Where that record is no longer
   * in the topic, or the reader was away for longer than tombstones are kept (30 days), what is
   * known of the partition is forgotten, and `low` is the answer.
   */
  resume(stream: Stream, partition: number, low: bigint): bigint {
    return this.#inOneStep(() => {
      const row = this.#row<{ next: number }>(
        `SELECT next FROM ${POSITIONS[stream]} WHERE topic_partition = ?
         AND at > CAST(strftime('%s', 'now') AS INTEGER) - ${AWAY_SECONDS}`,
        partition,
      );
      if (row && BigInt(row.next) >= low) return BigInt(row.next);
      this.#forget(stream, partition);
      return low;
    });
  }

  /** The next offset of each partition. */
  positions(stream: Stream): ReadonlyMap<number, number> {
    const rows = this.#all<{ topic_partition: number; next: number }>(
      `SELECT topic_partition, next FROM ${POSITIONS[stream]}`,
    );
    return new Map(rows.map((it) => [it.topic_partition, it.next]));
  }

  /**
   * Forgets what is known of a partition, where it was read up to `next` and no further: for a
   * topic that was recreated.
   */
  startAnew(stream: Stream, partition: number, next: number): void {
    this.#inOneStep(() => {
      if (this.#position(stream, partition) === next) this.#forget(stream, partition);
    });
  }

  /** The findings that stand: of one cluster, or of all. */
  open(cluster?: string): Finding[] {
    return this.#findings('open_finding', cluster);
  }

  /** All findings, resolved and suppressed ones among them. */
  findings(cluster?: string): Finding[] {
    return this.#findings('finding', cluster);
  }

  /**
   * How far each source of a cluster is known. Empty: nothing is known, and no open finding means
   * nothing.
   */
  knowledge(cluster: string): SourceKnowledge[] {
    return this.#all<{ document: string; topic_partition: number }>(
      'SELECT document, topic_partition FROM source_status ORDER BY id',
    ).flatMap(({ document, topic_partition: partition }) => {
      const status = JSON.parse(document) as SourceStatus;
      if (status.cluster !== cluster) return [];
      return [knowledgeOf(status, BigInt(this.#position('findings', partition) ?? 0))];
    });
  }

  #takeFinding(
    partition: number,
    offset: number,
    record: PositionedRecord,
  ): FindingChange | undefined {
    const read = readFinding(record);
    if ('poison' in read) {
      this.#run(
        'INSERT OR IGNORE INTO poison VALUES (?, ?, ?)',
        partition,
        offset + 1,
        read.poison,
      );
      return undefined;
    }
    if ('forgotten' in read) {
      this.#run('DELETE FROM finding WHERE id = ?', read.forgotten);
      return read;
    }
    const { finding } = read;
    const changed = this.#row<{ id: string }>(
      `INSERT INTO finding VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
       SET revision = excluded.revision, state = excluded.state, document = excluded.document
       WHERE excluded.revision > finding.revision RETURNING id`,
      ...[finding.id, partition, finding.revision, finding.state, JSON.stringify(finding)],
    );
    return changed ? { finding } : undefined;
  }

  #takeStatus(partition: number, record: PositionedRecord): undefined {
    const read = readStatus(record);
    if ('forgotten' in read) this.#run('DELETE FROM source_status WHERE id = ?', read.forgotten);
    if (!('status' in read)) return;
    const { cluster, source } = read.status;
    this.#run(
      'INSERT OR REPLACE INTO source_status VALUES (?, ?, ?)',
      ...[`${cluster}/${source}`, partition, JSON.stringify(read.status)],
    );
  }

  #position = (stream: Stream, partition: number): number | undefined =>
    this.#row<{ next: number }>(
      `SELECT next FROM ${POSITIONS[stream]} WHERE topic_partition = ?`,
      partition,
    )?.next;

  #forget(stream: Stream, partition: number): void {
    for (const table of [CONTENT[stream], POSITIONS[stream]])
      this.#run(`DELETE FROM ${table} WHERE topic_partition = ?`, partition);
  }

  #findings(from: 'finding' | 'open_finding', cluster: string | undefined): Finding[] {
    const rows = this.#all<{ document: string }>(`SELECT document FROM ${from} ORDER BY id`);
    const findings = rows.map((it) => JSON.parse(it.document) as Finding);
    return cluster === undefined ? findings : findings.filter((it) => it.cluster === cluster);
  }

  #inOneStep<T>(step: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = step();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #prepare(sql: string): SqliteStatement {
    const prepared = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    this.#prepared.set(sql, prepared);
    return prepared;
  }
  #run = (sql: string, ...values: (string | number)[]): void =>
    void this.#prepare(sql).run(...values);
  #row = <T>(sql: string, ...values: (string | number)[]): T | undefined =>
    this.#prepare(sql).get(...values) as T | undefined;
  #all = <T>(sql: string, ...values: (string | number)[]): T[] =>
    this.#prepare(sql).all(...values) as T[];
}
