import { ascendingBy } from '@ovn-steward/shared/compare';
import {
  type ColumnSchema,
  decode,
  defaultOf,
  equal,
  type Json,
  type TableSchema,
  type Value,
} from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import type { RowJson } from './select-rows';
import { uuidsInJson } from './references';

/**
 * Columns that ovn-northd writes in rows of a CMS (ovn-nb(5)): they change although no client wrote
 * them.
 */
const WRITTEN_BY_NORTHD: ReadonlyMap<string, readonly string[]> = new Map([
  ['Logical_Switch_Port', ['up', 'dynamic_addresses']],
  ['Logical_Router_Port', ['ipv6_prefix', 'status']],
  ['BFD', ['status']],
  ['Network_Function_Group', ['network_function_active']],
  ['Logical_Switch_Port_Health_Check', ['status']],
]);

/** Whether ovn-northd writes the column as soon as the row is there. */
export const isWrittenByNorthd = (table: string, column: string): boolean =>
  WRITTEN_BY_NORTHD.get(table)?.includes(column) === true;

/**
 * The columns a database keeps: an ephemeral one lives in a server's memory only (RFC 7047 section
 * 3.2).
 */
export const storedColumns = (table: TableSchema): readonly ColumnSchema[] =>
  [...table.columns.values()].filter((it) => !it.ephemeral);

/**
 * The stored columns that only people and controllers write. A port's `tag` is northd's while one
 * is requested (`tag_request`).
 */
export function guardedColumns(table: TableSchema, row: RowJson): readonly ColumnSchema[] {
  const tagIsNorthds =
    table.name === 'Logical_Switch_Port' &&
    row['tag_request'] !== undefined &&
    !isEmptySet(row['tag_request']);
  return storedColumns(table).filter(
    ({ name }) => !isWrittenByNorthd(table.name, name) && !(tagIsNorthds && name === 'tag'),
  );
}

const isEmptySet = (json: Json): boolean =>
  Array.isArray(json) && json[0] === 'set' && Array.isArray(json[1]) && json[1].length === 0;

/**
 * The row's uuid.
 * @throws Failure `source-broken` for a row without a uuid in `_uuid`.
 */
export function uuidOf(row: Readonly<Record<string, Json>>): string {
  const [uuid] = uuidsInJson(row['_uuid']);
  if (uuid === undefined) throw new Failure('source-broken', 'A row came without its _uuid.');
  return uuid;
}

/** The row's `name`; '' for tables and rows without one. */
export const rowNameOf = (row: RowJson): string =>
  typeof row['name'] === 'string' ? row['name'] : '';

/** These columns of the row, as they were sent. */
export const pick = (row: RowJson, columns: readonly string[]): Record<string, Json> =>
  Object.fromEntries(
    columns.flatMap((it) => (row[it] === undefined ? [] : [[it, row[it]] as const])),
  );

/** These columns of the row but those that hold their default, as they were sent. */
export const withoutDefaults = (
  row: RowJson,
  columns: readonly ColumnSchema[],
): Record<string, Json> =>
  pick(
    row,
    columns
      .filter((it) => row[it.name] !== undefined && !equal(decode(it, row[it.name]), defaultOf(it)))
      .map((it) => it.name),
  );

const atomText = (value: unknown): string =>
  typeof value === 'bigint' ? `${value}n` : JSON.stringify(value);

/** A value in one form, whatever order the server sent a set or map in. */
function canonicalValue(value: Value): unknown {
  if (value instanceof Map)
    return [
      'map',
      [...(value as ReadonlyMap<unknown, unknown>)]
        .map(([key, held]) => [atomText(key), atomText(held)])
        .sort(ascendingBy((it) => it[0]!)),
    ];
  if (value instanceof Set)
    return ['set', [...(value as ReadonlySet<unknown>)].map(atomText).sort()];
  return value === undefined ? ['set', []] : atomText(value);
}

/** The columns' values in one form, for comparing and for digests. */
export const contentOf = (
  row: RowJson,
  columns: readonly ColumnSchema[],
): Record<string, unknown> =>
  Object.fromEntries(
    columns.map((column) => [
      column.name,
      row[column.name] === undefined
        ? canonicalValue(defaultOf(column))
        : canonicalValue(decode(column, row[column.name])),
    ]),
  );
