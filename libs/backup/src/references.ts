import { type ColumnSchema, type DatabaseSchema, type Replica, uuidsIn } from '@ovn-steward/ovsdb';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';

/** A column that holds uuids of rows of one table. */
export interface ReferenceColumn {
  readonly column: ColumnSchema;
  readonly to: string;
  readonly strength: 'strong' | 'weak';
}

/** Where a row is referred to. */
export interface ReferredBy {
  readonly table: string;
  readonly uuid: string;
  readonly column: ReferenceColumn;
}

/**
 * The column's reference, by its schema. Northbound has none in maps (NB schema 7.19); a map with
 * one counts as none here and is set as a whole.
 */
export function referenceOf(column: ColumnSchema): ReferenceColumn | undefined {
  const { refTable, refType } = column.key;
  return column.value === undefined && refTable !== undefined
    ? { column, to: refTable, strength: refType ?? 'strong' }
    : undefined;
}

/** Who refers to each row, by {@link rowKey}. */
export function referrersIn(replica: Replica): ReadonlyMap<string, readonly ReferredBy[]> {
  const referrers = new Map<string, ReferredBy[]>();
  for (const [name, references] of referenceColumns(replica.schema)) {
    for (const row of replica.rows(name)) {
      for (const column of references) {
        for (const uuid of uuidsIn(row.get(column.column.name))) {
          const key = rowKey(column.to, uuid);
          const by = { table: name, uuid: row.uuid, column };
          const known = referrers.get(key);
          if (known) known.push(by);
          else referrers.set(key, [by]);
        }
      }
    }
  }
  return referrers;
}

/** The columns of references of each table that has any. */
export function referenceColumns(
  schema: DatabaseSchema,
): ReadonlyMap<string, readonly ReferenceColumn[]> {
  const all = [...schema.tables.values()].map(
    (table) =>
      [table.name, [...table.columns.values()].flatMap((it) => referenceOf(it) ?? [])] as const,
  );
  return new Map(all.filter(([, columns]) => columns.length > 0));
}
