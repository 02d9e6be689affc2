import type { ColumnSchema, DatabaseSchema, Json } from '@ovn-steward/ovsdb';

/** A column whose values are uuids of rows of one table, whatever version of the schema has it. */
export interface ReferringColumn {
  readonly table: string;
  readonly column: string;
  readonly strength: 'strong' | 'weak';
  readonly shape: ColumnSchema['kind'];
}

/** What refers to each table, by the schema; found once. */
const referring = new WeakMap<DatabaseSchema, Map<string, readonly ReferringColumn[]>>();

/**
 * Every column of the schema that may refer to rows of the table. A map that refers on both sides
 * is there twice.
 */
export function referringColumns(schema: DatabaseSchema, to: string): readonly ReferringColumn[] {
  const known = referring.get(schema) ?? new Map<string, readonly ReferringColumn[]>();
  referring.set(schema, known);
  let columns = known.get(to);
  if (!columns) known.set(to, (columns = columnsReferringTo(schema, to)));
  return columns;
}

const columnsReferringTo = (schema: DatabaseSchema, to: string): readonly ReferringColumn[] =>
  [...schema.tables.values()].flatMap(({ name: table, columns }) =>
    [...columns.values()].flatMap((column) =>
      [column.key, column.value].flatMap((type): ReferringColumn[] =>
        type?.refTable === to
          ? [{ table, column: column.name, strength: type.refType ?? 'strong', shape: column.kind }]
          : [],
      ),
    ),
  );

/** A column by which a row refers to rows of another table. */
interface Reference {
  readonly column: string;
  readonly to: string;
  readonly strength: 'strong' | 'weak';
  readonly shape: ColumnSchema['kind'];
}

/** The columns by which rows of a table refer to others. */
export const referencesOf = (schema: DatabaseSchema, table: string): readonly Reference[] =>
  [...(schema.tables.get(table)?.columns.values() ?? [])].flatMap((column) =>
    [column.key, column.value].flatMap((type): Reference[] =>
      type?.refTable === undefined
        ? []
        : [
            {
              column: column.name,
              to: type.refTable,
              strength: type.refType ?? 'strong',
              shape: column.kind,
            },
          ],
    ),
  );

const isUuidAtom = (json: Json): json is readonly ['uuid', string] =>
  Array.isArray(json) && json[0] === 'uuid' && typeof json[1] === 'string';

/** The uuids in a value that is no map: one, a set of them, or none. */
export function uuidsInJson(json: Json | undefined): readonly string[] {
  if (json === undefined || !Array.isArray(json)) return [];
  const list = json as readonly Json[];
  if (isUuidAtom(list)) return [list[1]];
  return list[0] === 'set' && Array.isArray(list[1])
    ? (list[1] as readonly Json[]).filter(isUuidAtom).map((it) => it[1])
    : [];
}
