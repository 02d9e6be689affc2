import { randomUUID } from 'node:crypto';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { lockFile } from '@ovn-steward/shared/log/file-lock';
import { fullDisk, inStateFile } from '@ovn-steward/shared/log/state-file';
import type { Headers } from '@ovn-steward/shared/log/log';
import {
  type Database,
  keepCacheSmall,
  openSqliteDatabase,
  type Statement,
} from '@ovn-steward/shared/log/sqlite-database';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { StreamState } from '@ovn-steward/judgement/world/streams';
import type { CheckpointStep, ClusterStep, OutgoingRecord } from './checkpoint-step';

/**
 * Grows when stored state is no longer what the code would build; the checkpoint is then rebuilt
 * from the log. Before 4 epochs, times and keys were believed as they came; before 5 it held
 * ConfigMaps and other kinds that nothing reads.
 */
export const FOLD_VERSION = 5;

/** Some milliseconds' reading. */
const ENTITIES_AT_ONCE = 500;

const TABLES = ['meta', 'cluster', 'stream', 'entity', 'finding', 'outbox'] as const;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS cluster (cluster TEXT PRIMARY KEY, now TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS stream (cluster TEXT NOT NULL, stream TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (cluster, stream)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS entity (cluster TEXT NOT NULL, kind TEXT NOT NULL, uid TEXT NOT NULL, entity TEXT NOT NULL, PRIMARY KEY (cluster, kind, uid)) STRICT;
  CREATE TABLE IF NOT EXISTS finding (cluster TEXT NOT NULL, id TEXT NOT NULL, finding TEXT NOT NULL, PRIMARY KEY (cluster, id)) STRICT;
  CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, key TEXT NOT NULL, value TEXT, headers TEXT NOT NULL) STRICT;
`;

/**
 * The analyzer's memory of one partition between two runs, every cluster of it in one file: a
 * checkpoint, not a source of truth. Delete the file and it is rebuilt from the log to the same
 * state and the same findings.
 */
export class Checkpoint {
  readonly #db: Database;
  readonly #lock: { release(): void };
  readonly #statements = new Map<string, Statement>();
  /** As saved, by cluster and stream. */
  readonly #streams = new Map<string, string>();

  /**
   * @throws Failure `state-corrupt` when the file is no usable database, `log-locked` when another
   *   process holds it, `log-full` when its disk has no room for it.
   */
  constructor(
    readonly path: string,
    partition: number,
  ) {
    this.#lock = lockFile(path);
    let db: Database | undefined;
    try {
      this.#db = db = inStateFile(path, () => openSqliteDatabase(path));
      inStateFile(path, () => this.#prepare(partition));
    } catch (error) {
      // Kept, the lock would refuse this process its own file, also once the disk has room again.
      db?.close();
      this.#lock.release();
      throw openingFailure(path, error);
    }
  }

  /** Names this memory in what it publishes; another after every `reset`. */
  get id(): string {
    return this.#meta('id') ?? '';
  }

  /** Where reading resumes; 0 for an empty checkpoint. */
  get position(): bigint {
    return BigInt(this.#meta('position') ?? '0');
  }

  /**
   * Where the findings topic goes on after the last record of ours in it, or after the last that a
   * rebuild took up.
   */
  get findingsNext(): bigint {
    return BigInt(this.#meta('findingsNext') ?? '0');
  }

  /** When it was last saved, in milliseconds by the analyzer's clock. */
  get savedAt(): number {
    return Number(this.#meta('savedAt') ?? '0');
  }

  /**
   * Whether its findings are those of its state. Not so for an empty one, and until a rebuild is
   * done.
   */
  get judged(): boolean {
    return this.#meta('judged') === 'true';
  }

  /** Every cluster with records, with the sources' clock as it stood. */
  clusters(): { cluster: string; now: string }[] {
    return this.#db
      .prepare<[], { cluster: string; now: string }>('SELECT cluster, now FROM cluster')
      .all();
  }

  streams(cluster: string): StreamState[] {
    return this.#db
      .prepare<[string], { state: string }>('SELECT state FROM stream WHERE cluster = ?')
      .all(cluster)
      .map((it) => JSON.parse(it.state) as StreamState);
  }

  /** In pieces, between which others may work. */
  *entities(cluster: string): Generator<readonly Entity[]> {
    const page = this.#db.prepare<[string, number, number], { rowid: number; entity: string }>(
      'SELECT rowid, entity FROM entity WHERE +cluster = ? AND rowid > ? ORDER BY rowid LIMIT ?',
    );
    for (
      let rows = page.all(cluster, 0, ENTITIES_AT_ONCE);
      rows.length > 0;
      rows = page.all(cluster, rows.at(-1)!.rowid, ENTITIES_AT_ONCE)
    ) {
      yield rows.map((it) => JSON.parse(it.entity) as Entity);
    }
  }

  findings(cluster: string): Finding[] {
    return this.#db
      .prepare<[string], { finding: string }>('SELECT finding FROM finding WHERE cluster = ?')
      .all(cluster)
      .map((it) => JSON.parse(it.finding) as Finding);
  }

  /** @throws Failure `log-full` when its disk has no room for it. */
  save(step: CheckpointStep): void {
    this.#write(() => {
      for (const cluster of step.clusters) this.#saveCluster(cluster);
      this.#each(
        'INSERT INTO outbox (topic, key, value, headers) VALUES (?, ?, ?, ?)',
        step.outgoing.map((it) => [it.topic, it.key, it.value, JSON.stringify(it.headers)]),
      );
      this.#remember({ position: step.position, savedAt: step.at, judged: step.judged });
    });
  }

  /** The oldest records not yet published. */
  outgoing(limit: number): OutgoingRecord[] {
    const rows = this.#db
      .prepare<[number], Omit<OutgoingRecord, 'headers'> & { headers: string }>(
        'SELECT seq, topic, key, value, headers FROM outbox ORDER BY seq LIMIT ?',
      )
      .all(limit);
    return rows.map((it) => ({ ...it, headers: JSON.parse(it.headers) as Headers }));
  }

  /**
   * All up to this one are published; `findingsNext` where findings were among them. Does not wait
   * for the disk: what a power failure takes of it is published once more, as after a crash just
   * before. The next `save` puts it on the disk with the rest.
   * @throws as `save`.
   */
  sent(through: number, findingsNext?: bigint): void {
    this.#db.pragma('synchronous = NORMAL');
    try {
      this.#write(() => {
        this.#statement('DELETE FROM outbox WHERE seq <= ?').run(through);
        if (findingsNext !== undefined) this.#remember({ findingsNext });
      });
    } finally {
      this.#db.pragma('synchronous = FULL');
    }
  }

  /**
   * Forgets everything, so that reading starts at the log's beginning; findings published before
   * `findingsNext` are taken up.
   * @throws as `save`.
   */
  reset(findingsNext: bigint): void {
    this.#write(() => {
      this.#forget(Number(this.#meta('partition')));
      this.#remember({ findingsNext });
    });
  }

  close(): void {
    this.#db.close();
    this.#lock.release();
  }

  /** All of it or nothing. */
  #write(step: () => void): void {
    try {
      this.#db.transaction(step)();
    } catch (error) {
      throw fullDisk(this.path, error) ?? error;
    }
  }

  #saveCluster({ cluster, now, moved, streams, findings, forgotten }: ClusterStep): void {
    const last = new Map(moved.map((it) => [idOf((it.after ?? it.before)!), it] as const));
    const put = this.#statement(
      'INSERT INTO entity (cluster, kind, uid, entity) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET entity = excluded.entity',
    );
    const drop = this.#statement('DELETE FROM entity WHERE cluster = ? AND kind = ? AND uid = ?');
    for (const { before, after } of last.values()) {
      if (after) put.run(cluster, after.kind, after.uid, JSON.stringify(after));
      else drop.run(cluster, before!.kind, before!.uid);
    }
    for (const stream of streams) this.#saveStream(cluster, stream);
    this.#each(
      'INSERT OR REPLACE INTO finding (cluster, id, finding) VALUES (?, ?, ?)',
      findings.map((it) => [cluster, it.id, JSON.stringify(it)]),
    );
    this.#each(
      'DELETE FROM finding WHERE cluster = ? AND id = ?',
      forgotten.map((it) => [cluster, it]),
    );
    this.#each('INSERT OR REPLACE INTO cluster (cluster, now) VALUES (?, ?)', [[cluster, now]]);
  }

  /** There are dozens of streams, and a batch moves one or two. */
  #saveStream(cluster: string, streamState: StreamState): void {
    const name = JSON.stringify([cluster, streamState.stream]);
    const state = JSON.stringify(streamState);
    if (this.#streams.get(name) === state) return;
    this.#statement('INSERT OR REPLACE INTO stream (cluster, stream, state) VALUES (?, ?, ?)').run(
      cluster,
      streamState.stream,
      state,
    );
    this.#streams.set(name, state);
  }

  #prepare(partition: number): void {
    this.#db.pragma('journal_mode = WAL');
    this.#db.pragma('synchronous = FULL');
    keepCacheSmall(this.#db);
    if (this.#db.pragma('user_version', { simple: true }) !== FOLD_VERSION) this.#replace();
    if (this.#meta('partition') !== String(partition)) this.#forget(partition);
  }

  /** Drops what another version built, and makes what this one needs. */
  #replace(): void {
    this.#db.transaction(() => {
      for (const table of TABLES) this.#db.exec(`DROP TABLE IF EXISTS ${table}`);
      this.#db.exec(SCHEMA);
      this.#db.pragma(`user_version = ${FOLD_VERSION}`);
    })();
  }

  #forget(partition: number): void {
    this.#streams.clear();
    for (const table of TABLES) this.#db.exec(`DELETE FROM ${table}`);
    this.#remember({ partition, id: randomUUID() });
  }

  #meta(key: string): string | undefined {
    return this.#db
      .prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?')
      .get(key)?.value;
  }

  #remember(values: Readonly<Record<string, string | number | bigint | boolean>>): void {
    this.#each(
      'INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)',
      Object.entries(values).map(([key, value]) => [key, String(value)]),
    );
  }

  #each(sql: string, rows: readonly (readonly (string | number | null)[])[]): void {
    if (rows.length === 0) return;
    const statement = this.#statement(sql);
    for (const row of rows) statement.run(...row);
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#db.prepare(sql)));
    return statement;
  }
}

const idOf = ({ kind, uid }: Pick<Entity, 'kind' | 'uid'>): string => `${kind}/${uid}`;

function openingFailure(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure(
    'state-corrupt',
    `${path} cannot be used as the analyzer's checkpoint (${messageOf(error)}); move it away and start again: it is rebuilt from the log`,
    { cause: error },
  );
}
