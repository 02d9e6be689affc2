import type { Database } from './sqlite-database';

/** Up to where a store has applied a partition, and since when it says so. */
export interface ReadPosition {
  /** The next offset to read. */
  readonly next: bigint;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The table in which a store keeps the positions of what it applied, in the transaction that applies it. */
export const READ_POSITIONS_TABLE =
  'CREATE TABLE position (partition INTEGER PRIMARY KEY, next TEXT NOT NULL, at INTEGER NOT NULL) STRICT;';

/** The position of a partition; undefined for one that was never read. */
export function readPosition(db: Database, partition: number): ReadPosition | undefined {
  const row = db
    .prepare<[number], { next: string; at: number }>(
      'SELECT next, at FROM position WHERE partition = ?',
    )
    .get(partition);
  return row && { next: BigInt(row.next), at: row.at };
}

/** Call it in the transaction that applies what lies before the position. */
export function savePosition(db: Database, partition: number, { next, at }: ReadPosition): void {
  db.prepare('INSERT OR REPLACE INTO position (partition, next, at) VALUES (?, ?, ?)').run(
    partition,
    String(next),
    at,
  );
}

/**
 * Deletes positions together with what was read, so that reading starts at the log's beginning. One transaction.
 * @param tables those with a column `partition` that hold what was read.
 * @param partition undefined: all.
 */
export function forgetPositions(
  db: Database,
  tables: readonly string[],
  partition: number | undefined,
): void {
  db.transaction(() => {
    for (const table of ['position', ...tables])
      if (partition === undefined) db.exec(`DELETE FROM ${table}`);
      else db.prepare(`DELETE FROM ${table} WHERE partition = ?`).run(partition);
  })();
}
