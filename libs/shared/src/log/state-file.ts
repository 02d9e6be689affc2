import { Failure, messageOf } from '../errors';
import { lockFile } from './file-lock';
import { type Database, openSqliteDatabase } from './sqlite-database';
import { isDiskFull, sqliteCode } from './sqlite-failure';

/** Where a store has its tables. */
export interface StateTables {
  readonly path: string;
  readonly db: Database;
}

/** The one state file of a service. Each of its stores has tables of its own there. */
export interface StateFile extends StateTables {
  /**
   * A second connection, whose commits are not forced to the disk by themselves: the next commit of
   * `db` does that, since both write to one log (WAL). What dies with the machine before it is lost,
   * and nothing that `db` committed later stands without it.
   */
  unsynced(): Database;
  close(): void;
}

/**
 * Opens or makes the file for this process alone; `:memory:` for one that is deleted when closed.
 * @throws Failure `state-corrupt` when it is no usable database, `log-locked` when another process
 *   holds it, `log-full` when its disk has no room for it.
 */
export function openStateFile(path: string): StateFile {
  let lock: { release(): void } | undefined;
  let db: Database | undefined;
  let second: Database | undefined;
  const close = (): void => {
    second?.close();
    db?.close();
    lock?.release();
  };
  try {
    lock = path === ':memory:' ? undefined : lockFile(path);
    db = openSqliteDatabase(path);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.exec(
      'CREATE TABLE IF NOT EXISTS part (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID',
    );
    const first = db;
    const unsynced = (): Database => (second ??= path === ':memory:' ? first : openUnsynced(path));
    return { path, db, unsynced, close };
  } catch (error) {
    close();
    throw error instanceof Failure ? error : (fullDisk(path, error) ?? unusable(path, error));
  }
}

function openUnsynced(path: string): Database {
  const db = openSqliteDatabase(path);
  db.pragma('synchronous = NORMAL');
  return db;
}

/**
 * Has the tables of one part of the file made by `make`, unless this version of them is there
 * already. Of another version only what cannot be built again is to be kept. One transaction.
 * @returns whether they were made.
 */
export function makePart(
  { path, db }: StateTables,
  name: string,
  version: number,
  make: () => void,
): boolean {
  return inStateFile(path, () =>
    db.transaction(() => {
      const known = db
        .prepare<[string], { version: number }>('SELECT version FROM part WHERE name = ?')
        .get(name)?.version;
      if (known === version) return false;
      make();
      db.prepare('INSERT OR REPLACE INTO part (name, version) VALUES (?, ?)').run(name, version);
      return true;
    })(),
  );
}

/**
 * Runs a step on the file.
 * @throws Failure `log-full` when it cannot grow, `state-corrupt` when it is damaged or none of
 *   ours; other errors as they are.
 */
export function inStateFile<T>(path: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    const full = fullDisk(path, error);
    if (full) throw full;
    const code = sqliteCode(error) ?? '';
    if (!DAMAGED.some((it) => code.startsWith(it))) throw error;
    throw unusable(path, error);
  }
}

/**
 * A state file that cannot grow is not damaged: whoever moved it away would lose what is not
 * published yet.
 * @returns Failure `log-full` where the error is that.
 */
export const fullDisk = (path: string, error: unknown): Failure | undefined =>
  isDiskFull(error)
    ? new Failure('log-full', `${path} cannot grow: free space on its disk.`, { cause: error })
    : undefined;

const unusable = (path: string, error: unknown): Failure =>
  new Failure(
    'state-corrupt',
    `${path} cannot be used as state (${messageOf(error)}); move it away and start again: it is rebuilt from the log`,
    { cause: error },
  );

const DAMAGED = [
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'SQLITE_IOERR',
];
