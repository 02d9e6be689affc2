import type { LogBatch } from './log';
import { openSqliteDatabase } from './sqlite-database';
import { onFile } from './sqlite-failure';
import { createSqliteReader } from './sqlite-read';
import { loadTopics } from './sqlite-topics';

/**
 * Reads a partition of an embedded log as `Log.read` does, beside the process that uses it and
 * without disturbing that. Throws Failure as opening and reading the log do.
 */
export function readBeside(
  file: string,
  topic: string,
  partition: number,
  from: bigint,
  max: number,
): LogBatch {
  return onFile(file, () => {
    const db = openSqliteDatabase(file, { readonly: true, timeout: 5000 });
    try {
      return createSqliteReader(db)(loadTopics(db).partition(topic, partition), from, max);
    } finally {
      db.close();
    }
  });
}
