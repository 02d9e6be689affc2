import { convertRow } from '../schema/convert';
import { OvsdbError } from '../wire/errors';
import { rowLayoutOf, type Row } from '../schema/row';
import type { RowChange } from './row-change';
import type { ColumnSchema, DatabaseSchema, TableSchema } from '../schema/schema';
import { type ReceivedCell, TableRows } from './table-rows';
import { isUuid, type Value } from '../schema/value';

export interface ReplicaOptions {
  /**
   * Indexes to keep beside those of the schema: table → lists of columns. Tables and columns the
   * schema lacks are left out.
   */
  readonly indexes?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /**
   * The columns the sender sends, where that is not all of them: the others are unknown, not
   * default.
   */
  readonly sends?: (table: string, column: ColumnSchema) => boolean;
}

/** One checked and decoded step of an update; nothing is changed before all of them are. */
interface Step {
  readonly rows: TableRows;
  readonly uuid: string;
  readonly kind: 'insert' | 'modify' | 'delete';
  readonly cells: readonly ReceivedCell[];
}

type Json = Record<string, unknown>;

const member = (json: Json, name: string): unknown =>
  Object.hasOwn(json, name) ? json[name] : undefined;

function members(json: unknown, what: string): [string, unknown][] {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new OvsdbError(
      'value-invalid',
      `${what} is not an object. The sender is not an OVSDB server or file.`,
    );
  return Object.entries(json);
}

const knownCells = (row: Row): ReceivedCell[] =>
  row.slots.flatMap((value, position): ReceivedCell[] =>
    typeof value === 'symbol' ? [] : [[position, value]],
  );

/**
 * The rows of one database, held by applying what a monitor or a database file says. An update is
 * applied whole or not at all: when one throws, the replica is as it was.
 */
export class Replica {
  private readonly tables: ReadonlyMap<string, TableRows>;

  constructor(
    readonly schema: DatabaseSchema,
    private readonly options: ReplicaOptions = {},
  ) {
    this.tables = this.emptyTables();
  }

  /**
   * Applies the tables of an `update` notification (RFC 7047 section 4.1.6) or of a `monitor`
   * reply.
   *
   * @throws OvsdbError `out-of-step`, `schema-mismatch`, `value-invalid`.
   */
  applyUpdate1(tables: unknown): RowChange[] {
    return this.run(
      this.steps(tables, (rows, uuid, json) => this.step1(rows, uuid, json)),
      'full',
    );
  }

  /**
   * Applies the tables of an `update2` or `update3` notification (ovsdb-server(7) section 4.1.14).
   *
   * @throws OvsdbError `out-of-step`, `schema-mismatch`, `value-invalid`.
   */
  applyUpdate2(tables: unknown): RowChange[] {
    return this.run(
      this.steps(tables, (rows, uuid, json) => this.step2(rows, uuid, json)),
      'difference',
    );
  }

  /**
   * Takes a full snapshot (the reply to `monitor`, `monitor_cond`, or `monitor_cond_since` with
   * `found` false) for the whole truth: rows it does not have are deleted, in all tables. The
   * changes come as inserts and modifications, then deletions.
   *
   * @throws OvsdbError `schema-mismatch`, `value-invalid`.
   */
  replaceAll(snapshot: unknown): RowChange[] {
    const fresh = this.emptyCopy();
    fresh.run(
      fresh.steps(snapshot, (rows, uuid, json) => fresh.initialStep(rows, uuid, json)),
      'full',
    );
    return this.replaceBy(fresh);
  }

  /** An empty replica of the same schema and options, to be filled for {@link replaceBy}. */
  emptyCopy(): Replica {
    return new Replica(this.schema, this.options);
  }

  /**
   * {@link replaceAll} by the content of another replica of the same schema, which must not be used
   * afterwards.
   */
  replaceBy(fresh: Replica): RowChange[] {
    const changes: RowChange[] = [];
    const gone: RowChange[] = [];
    for (const [name, rows] of this.tables) {
      const wanted = fresh.tableRows(name).rows;
      for (const [uuid, row] of wanted) {
        const held = rows.rows.get(uuid);
        const change = held ? rows.modify(held, knownCells(row), 'full') : rows.adopt(row);
        if (change) changes.push(change);
      }
      for (const [uuid, row] of rows.rows) if (!wanted.has(uuid)) gone.push(rows.delete(row));
    }
    return changes.concat(gone);
  }

  /**
   * The same rows under another version of the schema (a server was upgraded, a file says it was
   * converted).
   *
   * @returns the new replica, with which to go on, and the deletion of every row whose table the
   *   new schema lacks.
   * @throws OvsdbError `schema-mismatch` when a value does not fit the new type of its column.
   */
  converted(schema: DatabaseSchema): { replica: Replica; gone: RowChange[] } {
    const replica = new Replica(schema, this.options);
    const gone: RowChange[] = [];
    for (const [name, { rows }] of this.tables) {
      const target = replica.tables.get(name);
      for (const row of rows.values()) {
        if (target) target.adopt(convertRow(row, target.layout));
        else gone.push({ kind: 'delete', table: name, uuid: row.uuid, row, changed: new Map() });
      }
    }
    return { replica, gone };
  }

  /**
   * Applies one row of a transaction of a database file (ovsdb(5)): null deletes it, otherwise it
   * is inserted or, where it is held, modified.
   *
   * @param meaning whether the columns of a modified row are differences (`_is_diff`) or new
   *   values.
   * @returns undefined when the row says nothing new.
   * @throws OvsdbError `out-of-step`, `schema-mismatch`, `value-invalid`.
   */
  applyFileRow(
    table: string,
    uuid: string,
    json: unknown,
    meaning: 'difference' | 'full',
  ): RowChange | undefined {
    const rows = this.tableRows(table);
    const held = rows.rows.get(uuid);
    if (json === null)
      return rows.delete(held ?? this.outOfStep(rows, uuid, 'deleted', 'not held'));
    const cells = rows.decodeCells(uuid, json);
    if (held && meaning === 'difference') rows.checkKnown(held, cells);
    return held
      ? rows.modify(held, cells, meaning)
      : rows.insert(this.checkUuid(rows, uuid), cells);
  }

  /**
   * @throws OvsdbError `schema-mismatch` when the schema has no such table: that is not the same as
   *   an empty one.
   */
  rows(table: string): Iterable<Row> {
    return this.tableRows(table).rows.values();
  }

  get(table: string, uuid: string): Row | undefined {
    return this.tableRows(table).rows.get(uuid);
  }

  size(table: string): number {
    return this.tableRows(table).rows.size;
  }

  /**
   * The rows that hold these values, found by an index of the schema or of the options, at the cost
   * of the answer.
   *
   * @throws OvsdbError `schema-mismatch` when there is no index over exactly these columns.
   */
  lookup(table: string, columns: readonly string[], values: readonly Value[]): Row[] {
    const index = this.tableRows(table).index(columns);
    if (!index)
      throw new OvsdbError(
        'schema-mismatch',
        `Table ${table} has no index over ${columns.join(', ')}. Name it in the replica's options, or check that the schema has these columns.`,
      );
    return index.find(values);
  }

  private tableRows(table: string): TableRows {
    const rows = this.tables.get(table);
    if (!rows)
      throw new OvsdbError(
        'schema-mismatch',
        `Schema ${this.schema.name} ${this.schema.version} has no table ${table}. Read the schema again, or leave the table out.`,
      );
    return rows;
  }

  private emptyTables(): Map<string, TableRows> {
    return new Map(
      Array.from(this.schema.tables.values(), (table) => [table.name, this.emptyTable(table)]),
    );
  }

  private emptyTable(table: TableSchema): TableRows {
    const { indexes, sends } = this.options;
    const wanted = indexes && Object.hasOwn(indexes, table.name) ? (indexes[table.name] ?? []) : [];
    const sent = (name: string): boolean => {
      const column = table.columns.get(name);
      return column !== undefined && (sends?.(table.name, column) ?? true);
    };
    const layout = rowLayoutOf(table, (column) => sent(column.name));
    return new TableRows(
      layout,
      [...table.indexes, ...wanted].filter((columns) => columns.every(sent)),
    );
  }

  private steps(
    tables: unknown,
    read: (rows: TableRows, uuid: string, json: unknown) => Step,
  ): Step[] {
    const steps: Step[] = [];
    for (const [table, updates] of members(tables, 'The update')) {
      const rows = this.tableRows(table);
      for (const [uuid, json] of members(updates, `The update of ${table}`))
        steps.push(read(rows, this.checkUuid(rows, uuid), json));
    }
    return steps;
  }

  private initialStep(rows: TableRows, uuid: string, json: unknown): Step {
    const [[name, row] = []] = members(json, `The update of row ${uuid} of ${rows.name}`);
    if (name === 'initial' || name === 'insert' || name === 'new')
      return { rows, uuid, kind: 'insert', cells: rows.decodeCells(uuid, row) };
    throw new OvsdbError(
      'value-invalid',
      `Row ${uuid} of ${rows.name} is not part of a full snapshot but a change. Take the reply to the monitor request, not a notification.`,
    );
  }

  private step1(rows: TableRows, uuid: string, json: unknown): Step {
    const update = Object.fromEntries(members(json, `The update of row ${uuid} of ${rows.name}`));
    const row = member(update, 'new');
    const kind =
      row === undefined ? 'delete' : member(update, 'old') === undefined ? 'insert' : 'modify';
    this.checkHeld(rows, uuid, kind);
    return { rows, uuid, kind, cells: kind === 'delete' ? [] : rows.decodeCells(uuid, row) };
  }

  private step2(rows: TableRows, uuid: string, json: unknown): Step {
    const [[name, row] = [], ...more] = members(json, `The update of row ${uuid} of ${rows.name}`);
    const kind = name === 'initial' ? 'insert' : name;
    if (more.length > 0 || (kind !== 'insert' && kind !== 'modify' && kind !== 'delete'))
      throw new OvsdbError(
        'value-invalid',
        `The update of row ${uuid} of ${rows.name} is none of initial, insert, modify and delete. The sender is not an OVSDB server.`,
      );
    this.checkHeld(rows, uuid, kind);
    const cells = kind === 'delete' ? [] : rows.decodeCells(uuid, row);
    const held = rows.rows.get(uuid);
    if (held) rows.checkKnown(held, cells);
    return { rows, uuid, kind, cells };
  }

  private run(steps: readonly Step[], meaning: 'difference' | 'full'): RowChange[] {
    const changes: RowChange[] = [];
    for (const { rows, uuid, kind, cells } of steps) {
      const held = rows.rows.get(uuid);
      const change = !held
        ? rows.insert(uuid, cells)
        : kind === 'delete'
          ? rows.delete(held)
          : rows.modify(held, cells, meaning);
      if (change) changes.push(change);
    }
    return changes;
  }

  private checkHeld(rows: TableRows, uuid: string, kind: Step['kind']): void {
    const held = rows.rows.has(uuid);
    if (held === (kind === 'insert'))
      this.outOfStep(
        rows,
        uuid,
        kind === 'insert' ? 'inserted' : kind === 'delete' ? 'deleted' : 'modified',
        held ? 'held already' : 'not held',
      );
  }

  private checkUuid(rows: TableRows, uuid: string): string {
    if (isUuid(uuid)) return uuid;
    throw new OvsdbError(
      'value-invalid',
      `Table ${rows.name} has a row named ${JSON.stringify(uuid)}, which is no UUID. The sender is not an OVSDB server or file.`,
    );
  }

  private outOfStep(rows: TableRows, uuid: string, done: string, state: string): never {
    throw new OvsdbError(
      'out-of-step',
      `Row ${uuid} of ${rows.name} was ${done}, but it is ${state}. A change was missed: read the whole content again.`,
    );
  }
}
