import type { LogRecord } from './log';
import { openSqliteDatabase } from './sqlite-database';
import { onFile } from './sqlite-failure';

/** A record and its place, with the fields that a topic's history needs. */
export interface StoredTopicRecord extends Pick<LogRecord, 'key' | 'value' | 'timestamp'> {
  readonly partition: number;
  readonly offset: number;
}

/**
 * Every record of a topic that compaction left in an embedded log, oldest first, read beside the
 * process that uses it: for a person's question, not for a service. Throws Failure as opening the
 * log does.
 */
export function eachRecord(
  file: string,
  topic: string,
  visit: (it: StoredTopicRecord) => void,
): void {
  onFile(file, () => {
    const db = openSqliteDatabase(file, { readonly: true, timeout: 5000 });
    try {
      const sql =
        'SELECT r.key, r.value, r.timestamp, r."offset", p.number AS partition FROM record r JOIN partition p ON p.id = r.partition WHERE p.topic = ? ORDER BY r.pos';
      for (const record of db.prepare<[string], StoredTopicRecord>(sql).iterate(topic))
        visit(record);
    } finally {
      db.close();
    }
  });
}
