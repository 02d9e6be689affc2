import type { Database, Options } from 'better-sqlite3';
import { createRequire } from 'node:module';
import { Failure } from '../errors';
import { privateDatabase } from '../private-files';

export type { Database, Statement, Transaction } from 'better-sqlite3';

type Driver = new (file: string, options: Options) => Database;

/**
 * The first major version of Node that better-sqlite3 13 runs on; under 20 it takes the process
 * down.
 */
const NODE_OF_13 = 22;

/**
 * The driver for this Node; both have one API and one file format. better-sqlite3 12 compiled with
 * the headers of Node 24.19 or newer aborts the process when a statement, iterator or database is
 * garbage-collected between two tasks (nodejs/node#65446: no context is entered then, and the
 * destructor of `ObjectWrap` needs one). Keeping all of them referenced cannot be done: every
 * `pragma()`, `iterate()` and closed database is one more. Version 13 is built on Node-API, which
 * has no such destructor.
 */
function driver(): Driver {
  const load = createRequire(__filename);
  return (
    Number.parseInt(process.versions.node, 10) >= NODE_OF_13
      ? load('better-sqlite3-13')
      : load('better-sqlite3')
  ) as Driver;
}

const NOT_INSTALLED: ReadonlySet<unknown> = new Set(['MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);

/**
 * Opens a SQLite file, which only its owner may read; `:memory:` for one that is deleted when
 * closed. Throws SQLite's own errors (their `code` is `SQLITE_…`), and Failure `config-invalid`
 * when the dependencies were installed with another Node than this one.
 */
export function openSqliteDatabase(file: string, options: Options = {}): Database {
  if (file !== ':memory:' && options.readonly !== true) makePrivate(file);
  try {
    return new (driver())(file, options);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && NOT_INSTALLED.has(error.code))) throw error;
    throw new Failure(
      'config-invalid',
      `SQLite is not installed for Node ${process.versions.node}: run \`npm ci\` again with this Node, and without --omit=optional.`,
      { cause: error },
    );
  }
}

/**
 * Gives a file SQLite's own default of 2,000 KiB to keep in memory, where the driver has 16,000: the
 * system keeps what was read as well. Following 30,000 ports takes 30 MB less with it in two files,
 * and the same processor time. Setting it reads the file: an opener does so where it already
 * reports what a foreign or locked file throws.
 */
export function keepCacheSmall(db: Database): void {
  db.pragma('cache_size = -2000');
}

/** Where the file cannot be made, the opening that follows throws SQLite's own error. */
function makePrivate(file: string): void {
  try {
    privateDatabase(file);
  } catch {
    // the opening that follows reports it
  }
}
