import type { LogRecord } from './log';
import { openSqliteDatabase } from './sqlite-database';
import { onFile } from './sqlite-failure';

/** A record with the fields that its key's history needs. */
export type KeyRecord = Pick<LogRecord, 'key' | 'value' | 'timestamp'>;

/**
 * Every record of one key that compaction left in an embedded log, oldest first, read beside the
 * process that uses it. Scans the file once: for a person's question, not for a service. Throws
 * Failure as opening the log does.
 */
export function readKeyHistory(file: string, topic: string, key: string): KeyRecord[] {
  return onFile(file, () => {
    const db = openSqliteDatabase(file, { readonly: true, timeout: 5000 });
    try {
      const sql =
        'SELECT r.key, r.value, r.timestamp FROM record r JOIN partition p ON p.id = r.partition WHERE p.topic = ? AND r.key = ? ORDER BY r.pos';
      return db.prepare<[string, string], KeyRecord>(sql).all(topic, key);
    } finally {
      db.close();
    }
  });
}
