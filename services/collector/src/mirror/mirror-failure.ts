import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { isDiskFull, sqliteCode } from '@ovn-steward/shared/log/sqlite-failure';

/** What an error of SQLite means for the collector's state in `path`. */
export function mirrorFailure(path: string, cause: unknown): Failure {
  const code = sqliteCode(cause) ?? '';
  if (code.startsWith('SQLITE_BUSY'))
    return new Failure(
      'log-locked',
      `${path} is in use by another collector or steward run. Stop that first, or give this one a state directory of its own (stateDir).`,
      { cause },
    );
  if (isDiskFull(cause))
    return new Failure(
      'log-full',
      `The collector state ${path} cannot grow (${messageOf(cause)}). Free space on its disk.`,
      { cause },
    );
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return new Failure(
      'state-corrupt',
      `${path} is not a readable collector state (${messageOf(cause)}). Remove the file: the next start makes it from the log.`,
      { cause },
    );
  return new Failure(
    'config-invalid',
    `Cannot open the collector state ${path}: ${messageOf(cause)}. Check that the directory exists and may be written.`,
    { cause },
  );
}
