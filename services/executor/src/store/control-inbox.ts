import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { type Control, controlKey } from '@ovn-steward/contracts/control/control';
import { controlText } from '@ovn-steward/contracts/control/control-codec';
import { type Database, openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { isDiskFull } from '@ovn-steward/shared/log/sqlite-failure';
import { privateFolderOf } from '@ovn-steward/shared/private-files';

/** A decision on its way to the log, as the record it becomes. */
export interface WaitingControl {
  readonly seq: number;
  readonly id: string;
  readonly key: string;
  readonly value: string;
  /** The signature (`steward-signature`); null where it is not signed. */
  readonly signature: string | null;
  /** When it was decided, ms since the epoch. */
  readonly at: number;
}

const SCHEMA =
  'CREATE TABLE IF NOT EXISTS control (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, key TEXT NOT NULL, value TEXT NOT NULL, at INTEGER NOT NULL, signature TEXT) STRICT';

/** Other processes write for milliseconds. */
const BUSY_MS = 5000;

/** What an error of SQLite means for the inbox in `path`. */
export const inboxFailure = (path: string, cause: unknown): Failure =>
  isDiskFull(cause)
    ? new Failure(
        'log-full',
        `${path} cannot grow: free space on its disk, then try again. What waits in it is kept.`,
        { cause },
      )
    : new Failure(
        'state-corrupt',
        `${path} cannot be used to pass on what people decide (${messageOf(cause)}); see to its disk and mode, or move it away: decisions in it that were not acknowledged yet must be made again`,
        { cause },
      );

/**
 * Where a decision waits until the one process that has the embedded log takes it there: a file
 * that any process may write into and read. What is added is durable.
 */
export class ControlInbox {
  readonly #db: Database;

  /**
   * Made when missing, with its folder.
   * @throws Failure `state-corrupt` when the file cannot be used, `log-full` when its disk has no
   *   room for it.
   */
  constructor(readonly path: string) {
    let db: Database | undefined;
    try {
      privateFolderOf(path);
      this.#db = db = openSqliteDatabase(path, { timeout: BUSY_MS });
      this.#db.pragma('journal_mode = WAL');
      this.#db.pragma('synchronous = FULL');
      this.#db.exec(SCHEMA);
      // A file of an earlier version lacks it; of two processes that add it one fails, and both
      // have it.
      if (!this.#hasSignatures())
        try {
          this.#db.exec('ALTER TABLE control ADD COLUMN signature TEXT');
        } catch (error) {
          if (!this.#hasSignatures()) throw error;
        }
    } catch (error) {
      db?.close();
      throw error instanceof Failure ? error : inboxFailure(path, error);
    }
  }

  /** The same id twice is one. */
  add(control: Control, now: Date, signature: string | null = null): void {
    this.#try(() =>
      this.#db
        .prepare(
          'INSERT OR IGNORE INTO control (id, key, value, at, signature) VALUES (?, ?, ?, ?, ?)',
        )
        .run(control.id, controlKey(control), controlText(control), now.getTime(), signature),
    );
  }

  /** Oldest first. */
  waiting(): readonly WaitingControl[] {
    return this.#try(() =>
      this.#db
        .prepare<[], WaitingControl>(
          'SELECT seq, id, key, value, at, signature FROM control ORDER BY seq',
        )
        .all(),
    );
  }

  has(id: string): boolean {
    return this.#try(
      () => this.#db.prepare('SELECT 1 FROM control WHERE id = ?').get(id) !== undefined,
    );
  }

  /** It is in the log, or shall not get there. */
  remove(id: string): void {
    this.#try(() => this.#db.prepare('DELETE FROM control WHERE id = ?').run(id));
  }

  close(): void {
    this.#db.close();
  }

  #hasSignatures(): boolean {
    return (
      this.#db
        .prepare("SELECT 1 FROM pragma_table_info('control') WHERE name = 'signature'")
        .get() !== undefined
    );
  }

  #try<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      throw new Failure(
        'log-unavailable',
        `${this.path} cannot be read or written (${messageOf(error)}); see to its disk, then try again`,
        { cause: error },
      );
    }
  }
}
