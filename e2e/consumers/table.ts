import { existsSync } from 'node:fs';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';

/** Rows of a consumer's database. */
export const query = <T>(database: string, sql: string): T[] => {
  const opened = openSqliteDatabase(database, { readonly: true });
  try {
    return opened.prepare(sql).all() as T[];
  } finally {
    opened.close();
  }
};

/** Whether a consumer has made this table in its database. */
export const hasTable = (database: string, name: string): boolean =>
  existsSync(database) &&
  query<{ name: string }>(database, 'SELECT name FROM sqlite_master').some(
    (it) => it.name === name,
  );

/** Whether the table has everything that the log has of these clusters. */
export async function isCaughtUp(
  database: string,
  log: Log,
  topic: string,
  clusters: readonly string[],
): Promise<boolean> {
  if (!hasTable(database, 'position')) return false;
  const next = new Map(
    query<{ topic_partition: number; next: number }>(database, 'SELECT * FROM position').map(
      (it) => [it.topic_partition, BigInt(it.next)],
    ),
  );
  for (const cluster of clusters) {
    const partition = partitionOf(cluster, PARTITIONS);
    const { high } = await log.watermarks(topic, partition);
    if ((next.get(partition) ?? 0n) < high) return false;
  }
  return true;
}
