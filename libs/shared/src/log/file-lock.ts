import { hostname } from 'node:os';
import { Failure } from '../errors';
import { type Database, openSqliteDatabase } from './sqlite-database';
import { onFile, sqliteCode } from './sqlite-failure';

interface Holder {
  readonly pid: number;
  readonly host: string;
}

function holderOf(db: Database): Holder | undefined {
  try {
    return db.prepare<[], Holder>('SELECT pid, host FROM holder').get();
  } catch {
    return undefined; // it is just writing its name, or died before it could: the lock is held all the same
  }
}

function take(db: Database, file: string): void {
  try {
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    if (!sqliteCode(error)?.startsWith('SQLITE_BUSY')) throw error;
    const holder = holderOf(db);
    const who = holder ? `process ${holder.pid} on ${holder.host}` : 'another process';
    throw new Failure(
      'log-locked',
      `The event log ${file} is in use by ${who}: end it first, or give another file.`,
      { cause: error },
    );
  }
}

/**
 * Makes this process the only one that uses `file`. The lock is a write lock on a second, tiny
 * database beside it (`<file>-lock`): the kernel drops it when the process dies, however it dies,
 * and it leaves the log itself open to anybody's `sqlite3` shell. Works on local disks only.
 * Nothing in this process may open and close that second file by other means, since that would drop
 * the lock (POSIX). Throws Failure `log-locked`, with the holder's pid where known.
 */
export function lockFile(file: string): { release(): void } {
  return onFile(file, () => {
    const db = openSqliteDatabase(`${file}-lock`, { timeout: 0 });
    try {
      take(db, file);
      db.exec(
        'CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL, host TEXT NOT NULL) STRICT; DELETE FROM holder',
      );
      db.prepare('INSERT INTO holder VALUES (?, ?)').run(process.pid, hostname());
      db.exec('COMMIT');
      take(db, file); // held from here on, with nothing written, so that others may read whose it is
    } catch (error) {
      db.close();
      throw error;
    }
    return { release: () => db.close() };
  });
}
