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
import { contentHash } from '@ovn-steward/contracts/identity/ids';
import { type Referrer, Referrers } from '@ovn-steward/systems/ovn/referrers';
import { rowName, rowObject } from '@ovn-steward/systems/ovn/row-object';
import type { RowJson } from '@ovn-steward/systems/northbound/select-rows';
import { uuidOf } from '@ovn-steward/systems/northbound/stored-columns';
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
export class LiveRows {
  readonly #select: Select;
  readonly #rows = new Map<string, Promise<LiveRow | undefined>>();
  readonly #byUuid = new Map<string, Promise<readonly LiveRow[]>>();
  readonly #likelyTable = new Map<string, string>();

  constructor(
    select: Select,
    readonly schema: DatabaseSchema,
    readonly references: RowReferences,
  ) {
    this.#select = select;
  }

  /** The row, with its holders; undefined when there is none. */
  row(table: string, uuid: string): Promise<LiveRow | undefined> {
    return once(this.#rows, `${table} ${uuid}`, () =>
      this.schema.tables.has(table) ? this.#read(table, uuid) : Promise.resolve(undefined),
    );
  }

  /**
   * Rows of any table that have this uuid, which OVSDB keeps unique within a table only. `likely`
   * are tables in which it will be found.
   */
  byUuid(uuid: string, likely = this.#likelyTable.get(uuid)): Promise<readonly LiveRow[]> {
    return once(this.#byUuid, uuid, () => this.#inAnyTable(uuid, likely));
  }

  /** What the row holds in the column by strong references, or lists in it as its members. */
  async heldBy(row: FetchedRow, { name }: ColumnSchema): Promise<readonly string[]> {
    if (row.has(name)) return uuidsIn(row.get(name));
    const [more] = await this.stored(row.table, operation.byUuid(row.uuid), ['_uuid', name]);
    return more ? uuidsIn(more.get(name)) : [];
  }

  /**
   * Rows as they are stored, with these columns or all; without who holds them. None of a table,
   * and no column, that the schema does not have.
   */
  async stored(
    name: string,
    where: readonly Condition[],
    columns?: readonly string[],
  ): Promise<readonly FetchedRow[]> {
    const table = this.schema.tables.get(name);
    if (!table) return [];
    const wanted = columns?.filter((it) => it === '_uuid' || table.columns.has(it));
    return (await this.#select(name, where, wanted)).map((it) => storedRow(table, it));
  }

  /** The uuids of rows whose column refers to this one. */
  async referring({ table, column }: UuidColumn, uuid: string): Promise<readonly string[]> {
    if (column.kind !== 'map') {
      const where: Condition = [column.name, 'includes', operation.uuid(uuid)];
      return (await this.stored(table, [where], ['_uuid'])).map((it) => it.uuid);
    }
    // No condition finds a uuid among a map's values.
    return (await this.stored(table, [], ['_uuid', column.name]))
      .filter((it) => uuidsIn(it.get(column.name)).includes(uuid))
      .map((it) => it.uuid);
  }

  async #read(table: string, uuid: string): Promise<LiveRow | undefined> {
    const { references } = this;
    const [[row], parents, groups] = await Promise.all([
      this.stored(table, operation.byUuid(uuid), this.#columnsOf(table)),
      this.#referrers(references.holdersOf(table), uuid),
      this.#referrers(references.groupsOf(table), uuid),
    ]);
    if (!row) return undefined;
    for (const { kind, uid } of [...parents, ...groups]) this.#likelyTable.set(uid, kind);
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
  }

  /** The columns of its object, and of what it holds, unless that may be much. */
  #columnsOf(table: string): readonly string[] {
    const columns = [...this.schema.tables.get(table)!.columns.values()];
    const isRead = (column: ColumnSchema): boolean => {
      const { forward, backward } = this.references.roleOf(table, column);
      return Boolean(forward) || (backward?.as === 'parents' && !HOLDING_MANY.has(table));
    };
    return ['_uuid', ...columns.filter(isRead).map((it) => it.name)];
  }

  async #referrers(from: readonly UuidColumn[], uuid: string): Promise<readonly Referrer[]> {
    const all = new Referrers();
    const each = await Promise.all(
      from.map(async (it) => ({ it, uuids: await this.referring(it, uuid) })),
    );
    for (const { it, uuids } of each)
      for (const uid of uuids) all.add('', uuid, { kind: it.table, uid, column: it.column.name });
    return all.of('', uuid);
  }

  async #inAnyTable(uuid: string, likely: string | undefined): Promise<readonly LiveRow[]> {
    // The server refuses any other text as a uuid, and no row has one.
    if (!isUuid(uuid)) return [];
    const others = [...this.schema.tables.keys()].filter((it) => it !== likely);
    const has = async (table: string): Promise<boolean> =>
      (await this.stored(table, operation.byUuid(uuid), ['_uuid'])).length > 0;
    const [expected, ...elsewhere] = await Promise.all([
      likely === undefined ? undefined : this.row(likely, uuid),
      ...others.map(async (table) => ((await has(table)) ? table : undefined)),
    ]);
    const more = await Promise.all(
      elsewhere.flatMap((table) => (table === undefined ? [] : [this.row(table, uuid)])),
    );
    return [expected, ...more].filter((it) => it !== undefined);
  }
}

function once<T>(memory: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  let held = memory.get(key);
  if (!held) memory.set(key, (held = work()));
  return held;
}

function storedRow(table: TableSchema, json: SelectedRow): FetchedRow {
  const values = new Map<string, [ColumnSchema, Value]>();
  for (const column of table.columns.values())
    if (Object.hasOwn(json, column.name))
      values.set(column.name, [column, decode(column, json[column.name])]);
  return {
    table: table.name,
    uuid: uuidOf(json as RowJson),
    columns: () => values.values(),
    has: (column) => values.has(column),
    get: (column) => values.get(column)?.[1],
  };
}
