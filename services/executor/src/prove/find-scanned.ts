import { KNOWN_COLUMNS } from '@ovn-steward/judgement/ownership/known-columns';
import { PROTECTED_TABLES } from '@ovn-steward/judgement/ownership/protected-tables';
import type { Relation } from '@ovn-steward/judgement/world/relation';
import type { Condition } from '@ovn-steward/ovsdb';
import type { BulkCache } from './bulk-cache';
import { type Finder, provisional, rowsOf } from './finder';
import type { LiveRow, LiveRows } from './live-rows';

interface Scan {
  readonly table: string;
  readonly where?: readonly Condition[];
  /** All when undefined. */
  readonly columns?: readonly string[];
}

/**
 * Scans columns of a table, shared by proofs of the same seconds; matches are read again. A scan is
 * found again by the relation's id, and so only the relation says by what keys rows are found.
 */
export async function scanned(
  key: string,
  relation: Relation,
  rows: LiveRows,
  cache: BulkCache,
  { table, where: conditions = [], columns }: Scan,
): Promise<LiveRow[]> {
  const index = await cache.share(
    JSON.stringify(['rows', relation.id, table, conditions, columns ?? null]),
    async () => {
      const byKey = new Map<string, string[]>();
      for (const row of await rows.stored(table, conditions, columns && ['_uuid', ...columns])) {
        const entity = provisional(rows, row);
        for (const key of new Set(relation.keys(entity))) {
          const uuids = byKey.get(key);
          if (uuids) uuids.push(row.uuid);
          else byKey.set(key, [row.uuid]);
        }
      }
      return byKey;
    },
  );
  return rowsOf(rows, table, index.get(key) ?? []);
}

/**
 * Rows of tables nobody knows, any text of which may be a reference; such tables are read whole.
 */
export const strangers = async (
  key: string,
  relation: Relation,
  { rows, cache }: Parameters<Finder>[2],
): Promise<LiveRow[]> => {
  const tables = [...rows.schema.tables.keys()].filter(
    (it) => !KNOWN_COLUMNS.has(it) && !PROTECTED_TABLES.has(it),
  );
  return (
    await Promise.all(tables.map((table) => scanned(key, relation, rows, cache, { table })))
  ).flat();
};

export const inTables =
  (...scans: readonly Scan[]): Finder =>
  async (key, relation, { rows, cache }) =>
    (await Promise.all(scans.map((it) => scanned(key, relation, rows, cache, it)))).flat();
