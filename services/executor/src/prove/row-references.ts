import type { ColumnSchema, DatabaseSchema } from '@ovn-steward/ovsdb';
import { type ColumnRole, createRoles } from '@ovn-steward/systems/ovn/column-role';

/** A column that may refer to rows. */
export interface UuidColumn {
  readonly table: string;
  readonly column: ColumnSchema;
}

/**
 * What may refer to a row of each table, by the schema, so that a table or column of a newer one is
 * followed alike.
 */
export interface RowReferences {
  readonly roleOf: (table: string, column: ColumnSchema) => ColumnRole;
  /** Columns that hold rows of the table by a strong reference. */
  holdersOf(table: string): readonly UuidColumn[];
  /** `Port_Group.ports`, for switch ports. */
  groupsOf(table: string): readonly UuidColumn[];
  /** Columns that refer to rows of the table weakly, but for those of `groupsOf`. */
  weakOf(table: string): readonly UuidColumn[];
}

export function rowReferences(schema: DatabaseSchema): RowReferences {
  const roleOf = createRoles('ovn-nb');
  const holders = new Map<string, UuidColumn[]>();
  const groups = new Map<string, UuidColumn[]>();
  const weak = new Map<string, UuidColumn[]>();
  for (const { name: table, columns } of schema.tables.values()) {
    for (const column of columns.values()) {
      const { backward } = roleOf(table, column);
      for (const target of new Set(backward?.tables))
        push(backward?.as === 'groups' ? groups : holders, target, { table, column });
      if (backward?.as === 'groups') continue;
      for (const type of [column.key, column.value])
        if (type?.refTable !== undefined && type.refType === 'weak')
          push(weak, type.refTable, { table, column });
    }
  }
  return {
    roleOf,
    holdersOf: (table) => holders.get(table) ?? [],
    groupsOf: (table) => groups.get(table) ?? [],
    weakOf: (table) => weak.get(table) ?? [],
  };
}

function push(map: Map<string, UuidColumn[]>, table: string, referringColumn: UuidColumn): void {
  const list = map.get(table);
  if (!list) map.set(table, [referringColumn]);
  else if (
    !list.some(
      (known) => known.table === referringColumn.table && known.column === referringColumn.column,
    )
  )
    list.push(referringColumn);
}
