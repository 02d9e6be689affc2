import {
  type ColumnSchema,
  decode,
  defaultOf,
  equal,
  type Json,
  type TableSchema,
  type Value,
} from '@ovn-steward/ovsdb';
import type { RowJson } from './select-rows';
import { uuidsInJson } from './references';

/**
 * What ovn-northd writes back into rows of others (ovn-nb(5)): it changes without anybody's doing.
 */
const WRITTEN_BY_NORTHD: ReadonlyMap<string, readonly string[]> = new Map([
  ['Logical_Switch_Port', ['up', 'dynamic_addresses']],
  ['Logical_Router_Port', ['ipv6_prefix', 'status']],
  ['BFD', ['status']],
  ['Network_Function_Group', ['network_function_active']],
  ['Logical_Switch_Port_Health_Check', ['status']],
]);

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
  const northds = WRITTEN_BY_NORTHD.get(table.name) ?? [];
  const tagIsNorthds =
    table.name === 'Logical_Switch_Port' &&
    row['tag_request'] !== undefined &&
    !isEmptySet(row['tag_request']);
  return storedColumns(table).filter(
    ({ name }) => !northds.includes(name) && !(tagIsNorthds && name === 'tag'),
  );
}

const isEmptySet = (json: Json): boolean =>
  Array.isArray(json) && json[0] === 'set' && Array.isArray(json[1]) && json[1].length === 0;

/** The row's uuid, from its `_uuid`. */
export const uuidOf = (row: RowJson): string => uuidsInJson(row['_uuid'])[0] ?? '';

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

const text = (value: unknown): string =>
  typeof value === 'bigint' ? `${value}n` : JSON.stringify(value);

/** A value in one form, whatever order the server sent a set or map in. */
function inOrder(value: Value): unknown {
  if (value instanceof Map)
    return [
      'map',
      [...(value as ReadonlyMap<unknown, unknown>)]
        .map(([key, held]) => [text(key), text(held)])
        .sort((a, b) => (a[0]! < b[0]! ? -1 : 1)),
    ];
  if (value instanceof Set) return ['set', [...(value as ReadonlySet<unknown>)].map(text).sort()];
  return value === undefined ? ['set', []] : text(value);
}

/** The columns' values in one form, for comparing and for digests. */
export const contentOf = (
  row: RowJson,
  columns: readonly ColumnSchema[],
): Record<string, unknown> =>
  Object.fromEntries(
    columns.map((it) => [
      it.name,
      row[it.name] === undefined ? inOrder(defaultOf(it)) : inOrder(decode(it, row[it.name])),
    ]),
  );
