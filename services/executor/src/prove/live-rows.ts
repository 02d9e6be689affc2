import type { Entity } from '@ovn-steward/judgement/world/entity';
import {
  type ColumnSchema,
  type Condition,
  type DatabaseSchema,
  decode,
  isUuid,
  operation,
  type TableSchema,
  uuidsIn,
  type Value,
} from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import { contentHash } from '@ovn-steward/contracts/identity/ids';
import { type Referrer, Referrers } from '@ovn-steward/systems/ovn/referrers';
import { rowName, rowObject } from '@ovn-steward/systems/ovn/row-object';
import type { UuidColumn, RowReferences } from './row-references';
import type { Select, SelectedRow } from './select-batch';

/**
 * Tables whose rows hold thousands of others: their references are read only where they are
 * queried.
 */
const HOLDING_MANY: ReadonlySet<string> = new Set(['Logical_Switch', 'Logical_Router']);

/** A row as it was selected: all its columns, or some. */
export interface FetchedRow {
  readonly table: string;
  readonly uuid: string;
  columns(): Iterable<[ColumnSchema, Value]>;
  /** Whether the column was selected. */
  has(column: string): boolean;
  get(column: string): Value;
}

/**
 * A row with the rows that hold it, read in one transaction: the very entity the collector would
 * publish of it.
 */
export interface LiveRow extends FetchedRow {
  readonly entity: Entity;
}

/**
 * Rows read from the living database; each at most once, so that an answer does not hold two
 * pictures of one row.
 */
export interface LiveRows {
  readonly schema: DatabaseSchema;
  readonly references: RowReferences;
  /** The row, with its holders; undefined when there is none. */
  row(table: string, uuid: string): Promise<LiveRow | undefined>;
  /**
   * Rows of any table that have this uuid, which OVSDB keeps unique within a table only. `likely`
   * are tables in which it will be found.
   */
  byUuid(uuid: string, likely?: string): Promise<readonly LiveRow[]>;
  /** What the row holds in the column by strong references, or lists in it as its members. */
  heldBy(row: FetchedRow, column: ColumnSchema): Promise<readonly string[]>;
  /**
   * Rows as they are stored, with these columns or all; without who holds them. None of a table,
   * and no column, that the schema does not have.
   */
  stored(
    table: string,
    where: readonly Condition[],
    columns?: readonly string[],
  ): Promise<readonly FetchedRow[]>;
  /** The uuids of rows whose column refers to this one. */
  referring(from: UuidColumn, uuid: string): Promise<readonly string[]>;
}

export function liveRows(
  select: Select,
  schema: DatabaseSchema,
  references: RowReferences,
): LiveRows {
  const rows = new Map<string, Promise<LiveRow | undefined>>();
  const known = new Map<string, Promise<readonly LiveRow[]>>();
  const likelyTable = new Map<string, string>();

  const stored: LiveRows['stored'] = async (name, where, columns) => {
    const table = schema.tables.get(name);
    if (!table) return [];
    const wanted = columns?.filter((it) => it === '_uuid' || table.columns.has(it));
    return (await select(name, where, wanted)).map((it) => storedRow(table, it));
  };
  const referring: LiveRows['referring'] = async ({ table, column }, uuid) => {
    // No condition finds a uuid among a map's values.
    const where: readonly Condition[] =
      column.kind === 'map' ? [] : [[column.name, 'includes', operation.uuid(uuid)]];
    const found = await stored(
      table,
      where,
      ['_uuid', column.name].slice(0, column.kind === 'map' ? 2 : 1),
    );
    return found
      .filter((it) => column.kind !== 'map' || uuidsIn(it.get(column.name)).includes(uuid))
      .map((it) => it.uuid);
  };
  const referrers = async (
    from: readonly UuidColumn[],
    uuid: string,
  ): Promise<readonly Referrer[]> => {
    const all = new Referrers();
    const each = await Promise.all(
      from.map(async (it) => ({ it, uuids: await referring(it, uuid) })),
    );
    for (const { it, uuids } of each)
      for (const uid of uuids) all.add('', uuid, { kind: it.table, uid, column: it.column.name });
    return all.of('', uuid);
  };
  const read = async (table: string, uuid: string): Promise<LiveRow | undefined> => {
    const [[row], parents, groups] = await Promise.all([
      stored(table, operation.byUuid(uuid), columnsOf(table)),
      referrers(references.holdersOf(table), uuid),
      referrers(references.groupsOf(table), uuid),
    ]);
    if (!row) return undefined;
    for (const { kind, uid } of [...parents, ...groups]) likelyTable.set(uid, kind);
    const object = rowObject(row, (column) => references.roleOf(table, column), parents, groups);
    return {
      ...row,
      entity: {
        source: 'ovn-nb',
        stream: 'ovn-nb',
        kind: table,
        uid: uuid,
        name: rowName(row),
        object,
        hash: contentHash(object),
      },
    };
  };
  /** The columns of its object, and of what it holds, unless that may be much. */
  const columnsOf = (table: string): readonly string[] => [
    '_uuid',
    ...[...schema.tables.get(table)!.columns.values()].flatMap((column) => {
      const { forward, backward } = references.roleOf(table, column);
      return forward || (backward?.as === 'parents' && !HOLDING_MANY.has(table))
        ? [column.name]
        : [];
    }),
  ];
  const row: LiveRows['row'] = (table, uuid) =>
    once(rows, `${table} ${uuid}`, () =>
      schema.tables.has(table) ? read(table, uuid) : Promise.resolve(undefined),
    );

  return {
    schema,
    references,
    row,
    async heldBy({ table, uuid, has, get }, { name }) {
      if (has(name)) return uuidsIn(get(name));
      const [more] = await stored(table, operation.byUuid(uuid), ['_uuid', name]);
      return more ? uuidsIn(more.get(name)) : [];
    },
    stored,
    referring,
    byUuid: (uuid, likely = likelyTable.get(uuid)) =>
      once(known, uuid, async () => {
        // The server refuses any other text as a uuid, and no row has one.
        if (!isUuid(uuid)) return [];
        const others = [...schema.tables.keys()].filter((it) => it !== likely);
        const [expected, ...elsewhere] = await Promise.all([
          likely === undefined ? undefined : row(likely, uuid),
          ...others.map(async (table) =>
            (await stored(table, operation.byUuid(uuid), ['_uuid'])).length > 0 ? table : undefined,
          ),
        ]);
        const more = await Promise.all(
          elsewhere.flatMap((table) => (table === undefined ? [] : [row(table, uuid)])),
        );
        return [expected, ...more].filter((it) => it !== undefined);
      }),
  };
}

function once<T>(memory: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  let held = memory.get(key);
  if (!held) memory.set(key, (held = work()));
  return held;
}

function storedRow(table: TableSchema, json: SelectedRow): FetchedRow {
  const id = json['_uuid'];
  const uuid: unknown = Array.isArray(id) ? id[1] : undefined;
  if (typeof uuid !== 'string')
    throw new Failure('source-broken', `a row of ${table.name} came without its _uuid`);
  const values = new Map<string, [ColumnSchema, Value]>();
  for (const column of table.columns.values())
    if (Object.hasOwn(json, column.name))
      values.set(column.name, [column, decode(column, json[column.name])]);
  return {
    table: table.name,
    uuid,
    columns: () => values.values(),
    has: (column) => values.has(column),
    get: (column) => values.get(column)?.[1],
  };
}
