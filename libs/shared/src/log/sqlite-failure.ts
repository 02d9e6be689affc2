import { Failure, type FailureCode } from '../errors';

const NO_ROOM = 'has no room left: free space on its disk, or raise its size limit';

const CODES: readonly (readonly [prefix: string, code: FailureCode, text: string])[] = [
  ['SQLITE_FULL', 'log-full', NO_ROOM],
  ['SQLITE_IOERR_SHMSIZE', 'log-full', NO_ROOM],
  [
    'SQLITE_CORRUPT',
    'log-corrupt',
    'is damaged: restore it from a backup, or move it away and let the collector fill a new one',
  ],
  ['SQLITE_NOTADB', 'log-corrupt', 'is not an event log: give another file, or move this one away'],
  ['SQLITE_BUSY', 'log-locked', 'is locked by another process: end that process, or wait for it'],
  ['SQLITE_LOCKED', 'log-locked', 'is locked by another process: end that process, or wait for it'],
  ['SQLITE_READONLY', 'log-unavailable', 'cannot be written: check its owner and mode'],
  [
    'SQLITE_CANTOPEN',
    'log-unavailable',
    'cannot be opened: check that its directory exists and may be written',
  ],
  ['SQLITE_IOERR', 'log-unavailable', 'cannot be read or written: check its disk'],
];

/** SQLite's extended result code (`SQLITE_IOERR_WRITE`), when the error is SQLite's. */
export const sqliteCode = (error: unknown): string | undefined =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('SQLITE_')
    ? error.code
    : undefined;

/**
 * Whether a file could not grow. SQLite says so of the file beside a database in WAL mode
 * (`-shm`) with an error of its own (sqlite.org/rescode.html, SQLITE_IOERR_SHMSIZE).
 */
export const isDiskFull = (error: unknown): boolean => meaningOf(error)?.[1] === 'log-full';

/**
 * What an error of SQLite means for the log in `file`, by its result code; other errors are
 * returned as they are.
 */
export function logFailure(file: string, error: unknown): unknown {
  const known = meaningOf(error);
  return known
    ? new Failure(known[1], `The event log ${file} ${known[2]} (${sqliteCode(error)}).`, {
        cause: error,
      })
    : error;
}

const meaningOf = (error: unknown): (typeof CODES)[number] | undefined => {
  const code = sqliteCode(error);
  return CODES.find(([prefix]) => code?.startsWith(prefix));
};

/** Runs one step on the log's file and turns its errors into Failures. */
export function onFile<T>(file: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw logFailure(file, error);
  }
}
