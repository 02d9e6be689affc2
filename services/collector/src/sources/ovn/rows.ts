import type { Row, RowChange } from '@ovn-steward/ovsdb';
import type { Observation } from '../../source-kit/source';
import { createRoles } from '@ovn-steward/systems/ovn/column-role';
import { References, type Touch } from './references';
import { rowName, rowObject } from '@ovn-steward/systems/ovn/row-object';
import { isRead, type OvnDatabaseId } from '@ovn-steward/systems/ovn/selection';

/** Where a row is found by its uuid, as it is now. */
export type FindRow = (table: string, uuid: string) => Row | undefined;

export type RowObservation = Extract<Observation, { type: 'object' | 'gone' }>;

/**
 * Rows → observations of one database: see `roleOf` for what a row carries and what it leaves to
 * the rows it refers to.
 */
export class RowProjection {
  readonly #id: OvnDatabaseId;
  readonly #find: FindRow;
  readonly #roleOf: ReturnType<typeof createRoles>;
  readonly #references: References;

  constructor(id: OvnDatabaseId, find: FindRow) {
    this.#id = id;
    this.#find = find;
    this.#roleOf = createRoles(id);
    this.#references = new References(this.#roleOf);
  }

  /**
   * Learns what a row refers to; to be called once for each row that is there at first, before any
   * `object`.
   */
  learn(row: Row): void {
    this.#references.add(row);
  }

  /** The row as it is now. */
  object(row: Row): RowObservation {
    const { table, uuid } = row;
    const contents = rowObject(
      row,
      (column) => this.#roleOf(table, column),
      this.#references.parentsOf(row),
      this.#references.groupsOf(row),
    );
    return {
      type: 'object',
      stream: this.#id,
      kind: table,
      uid: uuid,
      name: rowName(row),
      object: contents,
    };
  }

  /**
   * What these changes did: rows that are deleted, then rows that changed and rows whose referrers
   * did. Costs what these cost, whatever else there is. The changes must be all since the last
   * call, in their order, and already be in the rows.
   */
  update(changes: readonly RowChange[]): RowObservation[] {
    const id = this.#id;
    const touched = new Keys<undefined>();
    const deleted = new Keys<string>();
    for (const change of changes) {
      if (!isRead(id, change.table)) continue;
      this.#take(change, (table, uuid) => touched.set(table, uuid, undefined));
      if (change.kind === 'delete') deleted.set(change.table, change.uuid, rowName(change.row));
    }
    const gone: RowObservation[] = [];
    const present: RowObservation[] = [];
    for (const [table, uid] of touched.entries()) {
      const row = isRead(id, table) ? this.#find(table, uid) : undefined;
      const name = deleted.get(table, uid);
      if (row) present.push(this.object(row));
      else if (name !== undefined) gone.push({ type: 'gone', stream: id, kind: table, uid, name });
    }
    return [...gone, ...present];
  }

  #take(change: RowChange, touch: Touch): void {
    if (change.kind === 'modify') return this.#modify(change, touch);
    if (change.kind === 'insert') this.#references.add(change.row, touch);
    else this.#references.remove(change.row, touch);
    touch(change.table, change.uuid);
  }

  #modify({ row, changed }: RowChange, touch: Touch): void {
    for (const [column] of row.columns()) {
      const change = changed.get(column.name);
      if (!change) continue;
      const role = this.#roleOf(row.table, column);
      if (role.forward) touch(row.table, row.uuid);
      this.#references.change(row, role, change, touch);
    }
  }
}

/** A map by table and uuid: OVSDB keeps uuids unique within a table only. */
class Keys<T> {
  readonly #tables = new Map<string, Map<string, T>>();

  get(table: string, uuid: string): T | undefined {
    return this.#tables.get(table)?.get(uuid);
  }

  set(table: string, uuid: string, value: T): void {
    const rows = this.#tables.get(table);
    if (rows) rows.set(uuid, value);
    else this.#tables.set(table, new Map([[uuid, value]]));
  }

  *entries(): Generator<readonly [table: string, uuid: string]> {
    for (const [table, rows] of this.#tables) for (const uuid of rows.keys()) yield [table, uuid];
  }
}
