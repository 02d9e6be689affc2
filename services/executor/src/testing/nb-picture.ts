import {
  type ColumnSchema,
  type DatabaseSchema,
  type Json,
  type JsonRow,
  operation,
  type Operation,
} from '@ovn-steward/ovsdb';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';

const never = new AbortController().signal;

/**
 * Every row, by `<table> <uuid>`: each column as the sorted list of what is in it. Made without the
 * code under test.
 */
export type Picture = ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;

type Row = Readonly<Record<string, Json>>;

const parts = (json: Json): readonly string[] => {
  if (!Array.isArray(json) || (json[0] !== 'set' && json[0] !== 'map'))
    return [JSON.stringify(json)];
  return (json[1] as readonly Json[]).map((it) => JSON.stringify(it)).sort();
};

/** Every row as the server has it now. */
export async function rowsOf(northbound: Northbound): Promise<ReadonlyMap<string, Row>> {
  const schema = await northbound.schema(never);
  const tables = [...schema.tables.values()];
  const read = await northbound.read(
    tables.map((it) => operation.select(it.name, [], ['_uuid', ...it.columns.keys()])),
    never,
  );
  if (read.is === 'refused') throw new Error(read.error);
  const rows = new Map<string, Row>();
  for (const [nth, result] of read.results.entries()) {
    if (result.kind !== 'selected') throw new Error(`a select was answered with ${result.kind}`);
    for (const { _uuid, ...row } of result.rows as readonly (Row & { readonly _uuid: Json })[])
      rows.set(`${tables[nth]!.name} ${(_uuid as string[])[1]}`, row);
  }
  return rows;
}

export async function pictureOf(northbound: Northbound): Promise<Picture> {
  return new Map(
    [...(await rowsOf(northbound))].map(([key, row]) => [
      key,
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, parts(value)])),
    ]),
  );
}

/** The same without these rows, and without any reference to them. */
export function without(
  picture: Picture,
  keys: readonly string[],
  schema: DatabaseSchema,
): Picture {
  const refers = (table: string, column: string, part: string): boolean => {
    const to = schema.tables.get(table)?.columns.get(column)?.key.refTable;
    return (
      to !== undefined &&
      keys.some(
        (it) =>
          part === JSON.stringify(['uuid', it.slice(to.length + 1)]) && it.startsWith(`${to} `),
      )
    );
  };
  return new Map(
    [...picture]
      .filter(([key]) => !keys.includes(key))
      .map(([key, row]) => {
        const table = key.split(' ')[0]!;
        return [
          key,
          Object.fromEntries(
            Object.entries(row).map(([column, value]) => [
              column,
              value.filter((it) => !refers(table, column, it)),
            ]),
          ),
        ];
      }),
  );
}

/**
 * Another value that the column takes; undefined for strong references and for what can have no
 * other.
 */
export function otherValue(
  { name, key, value, kind, min }: ColumnSchema,
  now: Json,
  someRow: string | undefined,
): Json | undefined {
  if (key.refTable !== undefined) {
    if (key.refType === 'strong') return undefined;
    if (parts(now).length > 0) return operation.set([]);
    return someRow === undefined ? undefined : operation.uuid(someRow);
  }
  if (kind === 'map')
    return operation.map([
      ...(now as [string, [Json, Json][]])[1].slice(1),
      [key.enum ? otherOf(key.enum, parts(now)) : 'another', value?.type === 'string' ? 'one' : 77],
    ]);
  if (key.enum) {
    const left = (key.enum as Json[]).filter((it) => !parts(now).includes(JSON.stringify(it)));
    return left[0] ?? (min === 0 ? operation.set([]) : undefined);
  }
  switch (key.type) {
    case 'boolean':
      return parts(now)[0] !== 'true';
    case 'integer':
      return (
        Number(parts(now)[0] ?? 1) +
        (Number(parts(now)[0] ?? 1) + 1 > (key.maxInteger ?? 1e9) ? -1 : 1)
      );
    default:
      return kind === 'set'
        ? operation.set([...parts(now).map((it) => JSON.parse(it) as Json), 'another'])
        : `${name}-another`;
  }
}

const otherOf = (all: readonly unknown[], now: readonly string[]): Json =>
  (all as Json[]).find((it) => !now.some((part) => part.startsWith(`[${JSON.stringify(it)}`))) ??
  (all[0] as Json);

/** The least a row of the table must say, with what is given. */
function leastRow(schema: DatabaseSchema, table: string, given: JsonRow): JsonRow {
  const least: Record<string, Json> = {};
  for (const { name, key, kind, min } of schema.tables.get(table)!.columns.values()) {
    if (key.enum && min === 1) least[name] = (key.enum as Json[])[0]!;
    else if (kind === 'atom' && key.minInteger !== undefined) least[name] = key.minInteger;
    else if (min === 1 && key.type === 'string' && key.refTable === undefined && kind === 'set')
      least[name] = 'least';
  }
  if (schema.tables.get(table)!.columns.get('name')?.kind === 'atom')
    least['name'] = `stranger-${strangers++}`;
  if (table === 'BFD') least['logical_port'] = `stranger-${strangers++}`;
  return { ...least, ...given };
}

let strangers = 1;

/**
 * Inserts a row and, for a table that is no root, a row of a root table that holds it; by what the
 * schema says alone.
 */
export function attached(
  schema: DatabaseSchema,
  table: string,
  given: JsonRow,
  uuid: string,
): readonly Operation[] {
  const row = operation.insert(table, leastRow(schema, table, given), uuid);
  if (schema.tables.get(table)?.isRoot !== false) return [row];
  for (const holder of schema.tables.values()) {
    const column = holder.isRoot
      ? [...holder.columns.values()].find(
          (it) => it.key.refTable === table && it.key.refType === 'strong',
        )
      : undefined;
    if (column)
      return [
        row,
        operation.insert(
          holder.name,
          leastRow(schema, holder.name, { [column.name]: operation.uuid(uuid) }),
        ),
      ];
  }
  throw new Error(`no root holds a ${table}`);
}

/**
 * Inserts a row that says the same as this one with another uuid, into the row that holds that one.
 * Its own children are recreated.
 */
export function clone(
  schema: DatabaseSchema,
  table: string,
  uuid: string,
  rows: ReadonlyMap<string, Row>,
  newUuid: string,
): readonly Operation[] {
  const copy: Record<string, Json> = { ...rows.get(`${table} ${uuid}`)! };
  const operations: Operation[] = [];
  for (const { name, key, min } of schema.tables.get(table)!.columns.values()) {
    if (
      key.refTable === undefined ||
      key.refType !== 'strong' ||
      schema.tables.get(key.refTable)!.isRoot
    )
      continue;
    delete copy[name];
    if (min === 0) continue;
    const child = `${newUuid.slice(0, -3)}fff`;
    operations.push(operation.insert(key.refTable, leastRow(schema, key.refTable, {}), child));
    copy[name] = operation.uuid(child);
  }
  operations.push(operation.insert(table, copy, newUuid));
  for (const holder of schema.tables.values()) {
    for (const column of holder.columns.values()) {
      if (column.key.refTable !== table || column.key.refType !== 'strong') continue;
      for (const [at, row] of rows) {
        if (
          at.startsWith(`${holder.name} `) &&
          parts(row[column.name] ?? operation.set([])).includes(JSON.stringify(['uuid', uuid]))
        )
          operations.push(
            operation.mutate(holder.name, operation.byUuid(at.slice(holder.name.length + 1)), [
              [column.name, 'insert', operation.uuid(newUuid)],
            ]),
          );
      }
    }
  }
  return operations;
}

/** Whoever may refer to the row, by the schema. */
export const referring = (schema: DatabaseSchema, to: string, strength: 'strong' | 'weak') =>
  [...schema.tables.values()].flatMap((table) =>
    [...table.columns.values()]
      .filter((it) => it.key.refTable === to && it.key.refType === strength)
      .map((column) => ({ table: table.name, column: column.name })),
  );

/** The row goes: by itself, or out of every row that holds it. */
export function takeAway(
  schema: DatabaseSchema,
  table: string,
  uuid: string,
  rows: ReadonlyMap<string, Row>,
): readonly Operation[] {
  if (schema.tables.get(table)?.isRoot !== false)
    return [operation.remove(table, operation.byUuid(uuid))];
  return [...rows].flatMap(([key, row]) => {
    const holder = key.split(' ')[0]!;
    const columns = [...schema.tables.get(holder)!.columns.values()].filter(
      (column) =>
        column.key.refTable === table &&
        column.key.refType === 'strong' &&
        JSON.stringify(row[column.name]).includes(uuid),
    );
    return columns.map((column) =>
      operation.mutate(holder, operation.byUuid(key.slice(holder.length + 1)), [
        [column.name, 'delete', operation.uuid(uuid)],
      ]),
    );
  });
}
