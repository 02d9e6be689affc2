import {
  type ColumnSchema,
  type DatabaseSchema,
  defaultOf,
  equal,
  type Replica,
  type Row,
  type Value,
} from '@ovn-steward/ovsdb';
import { fitsColumn } from './fits';
import { isAccessTable, isKeptColumn, withKeptKeys } from './kept-columns';
import { ownersIn, type RowOwner } from './owners';

/** How one row of the backup and of the living database differ. */
export interface RowDifference {
  readonly is: 'missing' | 'changed' | 'new';
  readonly table: string;
  readonly uuid: string;
  /** '' where the table has none. */
  readonly name: string;
  /** Missing: whose it was. Changed and new: whose it is now. */
  readonly owner: string;
  /** Changed: whose it was, where that was another. */
  readonly ownerBefore?: string;
  /** A person marked the living row to be kept as it is. */
  readonly kept: boolean;
  /** Changed: in which columns. */
  readonly columns: readonly string[];
}

export interface Difference {
  readonly rows: readonly RowDifference[];
  /**
   * What the backup has and the living schema has no place for, as `table` or `table.column`;
   * nothing of it can be compared or put back.
   */
  readonly foreign: ReadonlySet<string>;
}

/** The two databases, and what may be compared. */
export interface Pair {
  readonly backup: Replica;
  readonly live: Replica;
  /** Tables that the person who restores named; undefined for all. */
  readonly tables: ReadonlySet<string> | undefined;
}

const nameOf = (row: Row): string => {
  const name = row.get('name');
  return typeof name === 'string' ? name : '';
};

/** The same kind of values: bounds may differ between versions, and a server checks them. */
function isAlike(one: ColumnSchema, other: ColumnSchema): boolean {
  const base = ({ key, value }: ColumnSchema): string =>
    JSON.stringify([
      key.type,
      key.refTable,
      key.refType,
      value?.type,
      value?.refTable,
      value?.refType,
    ]);
  return one.kind === other.kind && base(one) === base(other);
}

/**
 * The columns of a table that both schemas have alike and that are stored, by name, in the living
 * schema's words.
 */
export function commonColumns(
  table: string,
  backup: DatabaseSchema,
  live: DatabaseSchema,
): ReadonlyMap<string, ColumnSchema> {
  const before = backup.tables.get(table)?.columns;
  const common = new Map<string, ColumnSchema>();
  for (const column of live.tables.get(table)?.columns.values() ?? []) {
    const old = before?.get(column.name);
    if (old && isAlike(old, column) && !column.ephemeral && !old.ephemeral)
      common.set(column.name, column);
  }
  return common;
}

/** The value the column is to have again; the living value itself where it is not to be touched. */
export function desiredValue(
  before: Row,
  now: Row | undefined,
  column: ColumnSchema,
  tables: Pair['tables'],
): Value {
  const live = now ? now.get(column.name) : defaultOf(column);
  if (isKeptColumn(before, column.name, tables)) return live;
  return withKeptKeys(before.table, column.name, before.get(column.name), live);
}

/**
 * Columns of the row that hold something the living schema has no place for: it lacks the column,
 * or has another type or narrower bounds.
 */
export function homelessColumns(row: Row, common: ReadonlyMap<string, ColumnSchema>): string[] {
  const isHomeless = (column: ColumnSchema, value: Value): boolean => {
    const now = common.get(column.name);
    return !column.ephemeral && (now ? !fitsColumn(now, value) : !equal(value, defaultOf(column)));
  };
  return [...row.columns()]
    .filter(([column, value]) => isHomeless(column, value))
    .map(([{ name }]) => name);
}

/** Compares every row of both, in the order of the living schema's tables. Pure. */
export function databaseDifference(pair: Pair): Difference {
  const { backup, live, tables } = pair;
  const ownerThen = ownersIn(backup);
  const ownerNow = ownersIn(live);
  const rows: RowDifference[] = [];
  const foreign = new Set<string>();
  const has = (replica: Replica, table: string): boolean => replica.schema.tables.has(table);
  for (const table of new Set([...live.schema.tables.keys(), ...backup.schema.tables.keys()])) {
    if (isAccessTable(table) && tables?.has(table) !== true) continue;
    const common = commonColumns(table, backup.schema, live.schema);
    for (const before of has(backup, table) ? backup.rows(table) : []) {
      const now = has(live, table) ? live.get(table, before.uuid) : undefined;
      const homeless = homelessColumns(before, common);
      for (const column of homeless) foreign.add(has(live, table) ? `${table}.${column}` : table);
      if (!now) {
        rows.push(rowDifference('missing', before, ownerThen(before)));
        continue;
      }
      const columns = changedColumns(before, now, common, homeless, tables);
      const was = ownerThen(before).owner;
      const is = ownerNow(now);
      if (columns.length > 0)
        rows.push(
          rowDifference('changed', now, is, {
            columns,
            ...(was === is.owner ? {} : { ownerBefore: was }),
          }),
        );
    }
    for (const row of has(live, table) ? live.rows(table) : [])
      if (!has(backup, table) || !backup.get(table, row.uuid))
        rows.push(rowDifference('new', row, ownerNow(row)));
  }
  return { rows, foreign };
}

const rowDifference = (
  is: RowDifference['is'],
  row: Row,
  owner: RowOwner,
  more: Partial<RowDifference> = {},
): RowDifference => ({
  is,
  table: row.table,
  uuid: row.uuid,
  name: nameOf(row),
  owner: owner.owner,
  kept: is !== 'missing' && owner.kept,
  columns: [],
  ...more,
});

const changedColumns = (
  before: Row,
  now: Row,
  common: ReadonlyMap<string, ColumnSchema>,
  homeless: readonly string[],
  tables: Pair['tables'],
): readonly string[] =>
  [...common.values()]
    .filter(
      (column) =>
        !homeless.includes(column.name) &&
        !equal(desiredValue(before, now, column, tables), now.get(column.name)),
    )
    .map((it) => it.name);
