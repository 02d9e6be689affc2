import type { Finding } from '@ovn-steward/shared/events/finding';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { lockFile } from '@ovn-steward/shared/log/file-lock';
import { type Database, openDatabase } from '@ovn-steward/shared/log/sqlite-database';
import type { Entity } from '../world/entity';
import type { StreamState } from '../world/streams';
import type { Moved } from '../world/world';

/** A record waiting to be published; `value` null is a tombstone. */
export interface Outgoing {
  readonly seq: number;
  readonly topic: string;
  readonly key: string;
  readonly value: string | null;
}

/** Everything one batch of changes brought about, saved in one transaction with the position it was read up to. */
export interface Step {
  readonly position: bigint;
  readonly now: string;
  readonly moved: readonly Moved[];
  readonly streams: readonly StreamState[];
  readonly findings: readonly Finding[];
  readonly forgotten: readonly string[];
  readonly outgoing: readonly Omit<Outgoing, 'seq'>[];
}

/** Grows when stored state is no longer what the code would build; the checkpoint is then rebuilt from the log. */
const FOLD_VERSION = 1;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS stream (stream TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS entity (kind TEXT NOT NULL, uid TEXT NOT NULL, entity TEXT NOT NULL, PRIMARY KEY (kind, uid)) STRICT;
  CREATE TABLE IF NOT EXISTS finding (id TEXT PRIMARY KEY, finding TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, key TEXT NOT NULL, value TEXT) STRICT;
`;

/**
 * The analyzer's memory between two runs: a checkpoint, not a source of truth. Delete the file and it is rebuilt from the
 * log to the same state and the same findings.
 */
export class Checkpoint {
  readonly #db: Database;
  readonly #lock: { release(): void };

  /** @throws Failure `state-corrupt` when the file is no usable database, `log-locked` when another process holds it. */
  constructor(readonly path: string, cluster: string) {
    try {
      this.#lock = lockFile(path);
      this.#db = openDatabase(path);
      this.#db.pragma('journal_mode = WAL');
      this.#db.pragma('synchronous = FULL');
      this.#db.exec(SCHEMA);
      const owner = `${FOLD_VERSION} ${cluster}`;
      if (this.#meta('owner') !== owner) this.reset(owner);
    } catch (error) {
      throw openingFailure(path, error);
    }
  }

  /** Where reading resumes; 0 for an empty checkpoint. */
  get position(): bigint {
    return BigInt(this.#meta('position') ?? '0');
  }

  get now(): string {
    return this.#meta('now') ?? '';
  }

  streams(): StreamState[] {
    return this.#all<{ state: string }>('SELECT state FROM stream').map((it) => JSON.parse(it.state) as StreamState);
  }

  *entities(): Iterable<Entity> {
    for (const row of this.#db.prepare<[], { entity: string }>('SELECT entity FROM entity').iterate()) yield JSON.parse(row.entity) as Entity;
  }

  findings(): Finding[] {
    return this.#all<{ finding: string }>('SELECT finding FROM finding').map((it) => JSON.parse(it.finding) as Finding);
  }

  save(step: Step): void {
    this.#db.transaction(() => {
      const put = this.#db.prepare('INSERT OR REPLACE INTO entity (kind, uid, entity) VALUES (?, ?, ?)');
      const drop = this.#db.prepare('DELETE FROM entity WHERE kind = ? AND uid = ?');
      for (const { before, after } of step.moved) {
        if (after) put.run(after.kind, after.uid, JSON.stringify(after));
        else drop.run(before!.kind, before!.uid);
      }
      this.#each('INSERT OR REPLACE INTO stream (stream, state) VALUES (?, ?)', step.streams.map((it) => [it.stream, JSON.stringify(it)]));
      this.#each('INSERT OR REPLACE INTO finding (id, finding) VALUES (?, ?)', step.findings.map((it) => [it.id, JSON.stringify(it)]));
      this.#each('DELETE FROM finding WHERE id = ?', step.forgotten.map((it) => [it]));
      this.#each('INSERT INTO outbox (topic, key, value) VALUES (?, ?, ?)', step.outgoing.map((it) => [it.topic, it.key, it.value]));
      this.#each('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', [['position', String(step.position)], ['now', step.now]]);
    })();
  }

  /** The oldest records not yet published. */
  outgoing(limit: number): Outgoing[] {
    return this.#db.prepare<[number], Outgoing>('SELECT seq, topic, key, value FROM outbox ORDER BY seq LIMIT ?').all(limit);
  }

  sent(through: number): void {
    this.#db.prepare('DELETE FROM outbox WHERE seq <= ?').run(through);
  }

  /** Forgets everything, so that reading starts at the log's beginning. */
  reset(owner = this.#meta('owner') ?? ''): void {
    this.#db.transaction(() => {
      for (const table of ['meta', 'stream', 'entity', 'finding', 'outbox']) this.#db.exec(`DELETE FROM ${table}`);
      this.#each('INSERT INTO meta (key, value) VALUES (?, ?)', [['owner', owner]]);
    })();
  }

  close(): void {
    this.#db.close();
    this.#lock.release();
  }

  #meta(key: string): string | undefined {
    return this.#db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?').get(key)?.value;
  }

  #all<T>(sql: string): T[] {
    return this.#db.prepare<[], T>(sql).all();
  }

  #each(sql: string, rows: readonly (readonly (string | null)[])[]): void {
    const statement = this.#db.prepare(sql);
    for (const row of rows) statement.run(...row);
  }
}

function openingFailure(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('state-corrupt', `${path} cannot be used as the analyzer's checkpoint (${messageOf(error)}); move it away and start again: it is rebuilt from the log`, { cause: error });
}
