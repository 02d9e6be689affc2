import { Failure } from '../errors';
import { privateFolderOf } from '../private-files';
import { lockFile } from './file-lock';
import { type Database, keepCacheSmall, openSqliteDatabase } from './sqlite-database';
import { onFile } from './sqlite-failure';

/** "STWL" in the file's header: `file(1)` and we distinguish the log from other databases by it. */
const APPLICATION_ID = 0x5354574c;
const VERSION = 1;

/**
 * `record` is a rowid table with a unique index: keyed without rowid it would be three times slower
 * and larger at 1 KB a value. `survivor` names the one record of each key in the part of a
 * partition that compaction has been through (below `cleaned`); appending does not touch it.
 */
const SCHEMA = `
  CREATE TABLE topic (name TEXT PRIMARY KEY, spec TEXT NOT NULL) STRICT;
  CREATE TABLE partition (
    id INTEGER PRIMARY KEY, topic TEXT NOT NULL REFERENCES topic, number INTEGER NOT NULL,
    low INTEGER NOT NULL DEFAULT 0, high INTEGER NOT NULL DEFAULT 0, cleaned INTEGER NOT NULL DEFAULT 0,
    UNIQUE (topic, number)
  ) STRICT;
  CREATE TABLE record (
    pos INTEGER PRIMARY KEY, partition INTEGER NOT NULL, "offset" INTEGER NOT NULL, timestamp INTEGER NOT NULL,
    remove_at INTEGER, key TEXT NOT NULL, headers TEXT, value BLOB
  ) STRICT;
  CREATE UNIQUE INDEX record_by_offset ON record (partition, "offset");
  CREATE INDEX tombstone_by_end ON record (remove_at) WHERE remove_at IS NOT NULL;
  CREATE TABLE survivor (partition INTEGER NOT NULL, key TEXT NOT NULL, "offset" INTEGER NOT NULL, PRIMARY KEY (partition, key)) STRICT, WITHOUT ROWID;
  CREATE TABLE committed (
    consumer TEXT NOT NULL, topic TEXT NOT NULL, partition INTEGER NOT NULL, "offset" INTEGER NOT NULL,
    PRIMARY KEY (consumer, topic, partition)
  ) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${VERSION};
`;

/**
 * Writes the tables into a new file; refuses a file that is something else before changing a byte
 * of it.
 */
function prepare(db: Database, file: string): void {
  const application = db.pragma('application_id', { simple: true });
  const version = db.pragma('user_version', { simple: true }) as number;
  const tables = db
    .prepare<[], { count: number }>('SELECT count(*) AS count FROM sqlite_schema')
    .get()?.count;
  const fresh = application === 0 && tables === 0;
  if (!fresh && application !== APPLICATION_ID)
    throw new Failure(
      'log-corrupt',
      `${file} is a database, but not an event log: give another file.`,
    );
  if (version > VERSION)
    throw new Failure(
      'log-corrupt',
      `The event log ${file} was written by a newer version (format ${version}, this one knows ${VERSION}): upgrade, or give another file.`,
    );
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('wal_autocheckpoint = 4000');
  keepCacheSmall(db);
  db.pragma('foreign_keys = ON');
  if (fresh) db.transaction(() => db.exec(SCHEMA)).immediate();
}

function limit(db: Database, bytes: number): void {
  const page = db.pragma('page_size', { simple: true }) as number;
  db.pragma(`max_page_count = ${Math.max(1, Math.floor(bytes / page))}`);
}

export interface LogFile {
  readonly db: Database;
  close(): void;
}

/**
 * Opens or creates the log's file (`:memory:` for one that is deleted afterwards) for this process
 * alone. Throws Failure `log-locked`, `log-corrupt`, `log-unavailable`.
 */
export function openLogFile(file: string, maxFileBytes?: number): LogFile {
  const lock = file === ':memory:' ? undefined : onDisk(file);
  try {
    return onFile(file, () => {
      const db = openSqliteDatabase(file, { timeout: 2000 });
      try {
        prepare(db, file);
        if (maxFileBytes !== undefined) limit(db, maxFileBytes);
      } catch (error) {
        db.close();
        throw error;
      }
      return {
        db,
        close: () => {
          try {
            db.pragma('optimize');
          } catch {
            // only advice to the query planner; closing must go on, also on a full disk or a
            // damaged file
          }
          db.close();
          lock?.release();
        },
      };
    });
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function onDisk(file: string): { release(): void } {
  try {
    privateFolderOf(file);
  } catch (error) {
    throw new Failure(
      'log-unavailable',
      `The directory of the event log ${file} cannot be made: check its owner and mode.`,
      { cause: error },
    );
  }
  return lockFile(file);
}
