import { convertRow } from '../schema/convert';
import { OvsdbError } from '../wire/errors';
import { rowLayoutOf, type Row } from '../schema/row';
import type { RowChange } from './row-change';
import type { ColumnSchema, DatabaseSchema, TableSchema } from '../schema/schema';
import { type ReceivedCell, TableRows } from './table-rows';
import {
  checkUuid,
  outOfStep,
  snapshotStep,
  type UpdateStep,
  stepsOf,
  update1Step,
  update2Step,
} from './update-steps';
import type { Value } from '../schema/value';

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
      stepsOf(tables, (table) => this.tableRows(table), update1Step),
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
      stepsOf(tables, (table) => this.tableRows(table), update2Step),
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
      stepsOf(snapshot, (table) => fresh.tableRows(table), snapshotStep),
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
    if (json === null) return rows.delete(held ?? outOfStep(rows, uuid, 'deleted', 'not held'));
    const cells = rows.decodeCells(uuid, json);
    if (held && meaning === 'difference') rows.checkKnown(held, cells);
    return held ? rows.modify(held, cells, meaning) : rows.insert(checkUuid(rows, uuid), cells);
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

  private run(steps: readonly UpdateStep[], meaning: 'difference' | 'full'): RowChange[] {
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
}
