import { openDatabase } from './sqlite-database';
import { onFile } from './sqlite-failure';

/**
 * Every record of one key that compaction left in an embedded log, oldest first, read beside the process that uses it.
 * Scans the file once: for a person's question, not for a service. Throws Failure as opening the log does.
 */
export function readKeyHistory(file: string, topic: string, key: string): (Buffer | null)[] {
  return onFile(file, () => {
    const db = openDatabase(file, { readonly: true, timeout: 5000 });
    try {
      const sql =
        'SELECT r.value FROM record r JOIN partition p ON p.id = r.partition WHERE p.topic = ? AND r.key = ? ORDER BY r.pos';
      return db
        .prepare<[string, string], { value: Buffer | null }>(sql)
        .all(topic, key)
        .map((it) => it.value);
    } finally {
      db.close();
    }
  });
}
