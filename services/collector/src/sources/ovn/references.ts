import {
  type Atom,
  type ColumnChange,
  type ColumnSchema,
  type Row,
  uuidsIn,
} from '@ovn-steward/ovsdb';
import type { ColumnRole } from '@ovn-steward/systems/ovn/column-role';
import { type Referrer, Referrers } from '@ovn-steward/systems/ovn/referrers';

/** Called with each row whose referrers changed. */
export type Touch = (table: string, uuid: string) => void;

type RoleOf = (table: string, column: ColumnSchema) => ColumnRole;

/** The references of one database, from the side of the rows they point at. */
export class References {
  readonly #roleOf: RoleOf;
  readonly #referrers = { parents: new Referrers(), groups: new Referrers() };

  constructor(roleOf: RoleOf) {
    this.#roleOf = roleOf;
  }

  parentsOf(row: Row): readonly Referrer[] {
    return this.#referrers.parents.of(row.table, row.uuid);
  }

  groupsOf(row: Row): readonly Referrer[] {
    return this.#referrers.groups.of(row.table, row.uuid);
  }

  /**
   * Records everything a row refers to. Without `touch` the row must be new: whether it is recorded
   * already is then not checked.
   */
  add(row: Row, touch?: Touch): void {
    for (const [column, value] of row.columns()) {
      const role = this.#roleOf(row.table, column);
      if (role.backward) this.#add(role, uuidsIn(value), referrerOf(row, role), touch);
    }
  }

  remove(row: Row, touch: Touch): void {
    for (const [column, value] of row.columns()) {
      const role = this.#roleOf(row.table, column);
      if (role.backward) this.#remove(role, uuidsIn(value), referrerOf(row, role), touch);
    }
  }

  /** Records what one column of a row refers to since it changed, at the cost of the change. */
  change(row: Row, role: ColumnRole, change: ColumnChange, touch: Touch): void {
    const [removed, added] =
      'added' in change
        ? [change.removed, change.added]
        : [uuidsIn(change.old), uuidsIn(change.new)];
    this.#remove(role, removed, referrerOf(row, role), touch);
    this.#add(role, added, referrerOf(row, role), touch);
  }

  #add(role: ColumnRole, values: Iterable<Atom>, by: Referrer, touch: Touch | undefined): void {
    this.#each(role, values, (to, table, uuid) => {
      to.add(table, uuid, by, touch !== undefined);
      touch?.(table, uuid);
    });
  }

  #remove(role: ColumnRole, values: Iterable<Atom>, by: Referrer, touch: Touch): void {
    this.#each(role, values, (to, table, uuid) => {
      to.remove(table, uuid, by);
      touch(table, uuid);
    });
  }

  #each(
    { backward }: ColumnRole,
    values: Iterable<Atom>,
    work: (to: Referrers, table: string, uuid: string) => void,
  ): void {
    if (!backward) return;
    for (const value of values)
      if (typeof value === 'string')
        for (const table of backward.tables) work(this.#referrers[backward.as], table, value);
  }
}

const referrerOf = (row: Row, role: ColumnRole): Referrer => ({
  column: role.name,
  kind: row.table,
  uid: row.uuid,
});
