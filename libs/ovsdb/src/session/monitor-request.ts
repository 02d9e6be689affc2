import type { DatabaseSchema } from '../schema/schema';

/**
 * What to monitor. Tables and columns that the server's schema lacks are left out: versions differ,
 * and that is normal.
 */
export interface Selection {
  /** Default: all tables. */
  tables?: readonly string[];
  /** Table → columns. A table not named here is monitored with all its columns. */
  columns?: Readonly<Record<string, readonly string[]>>;
}

/** Table → the columns that are monitored of it, in the schema's order. */
export type SelectedColumns = ReadonlyMap<string, ReadonlySet<string>>;

export function selectColumns(
  schema: DatabaseSchema,
  { tables, columns = {} }: Selection,
): SelectedColumns {
  const wanted = tables && new Set(tables);
  const selected = new Map<string, ReadonlySet<string>>();
  for (const [name, table] of schema.tables) {
    if (wanted?.has(name) === false) continue;
    const chosen = Object.hasOwn(columns, name) ? new Set(columns[name]) : undefined;
    selected.set(
      name,
      new Set([...table.columns.keys()].filter((column) => chosen?.has(column) ?? true)),
    );
  }
  return selected;
}

/**
 * The monitor-requests object (RFC 7047 section 4.1.5). Columns are always listed, since without a
 * list servers send `_version`, too. No conditions: changing them would appear as inserted and
 * deleted rows.
 */
export const monitorRequests = (selected: SelectedColumns): Record<string, unknown> =>
  Object.fromEntries(
    Array.from(selected, ([table, columns]) => [table, [{ columns: [...columns] }]]),
  );
