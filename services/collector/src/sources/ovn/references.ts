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

export interface References {
  parentsOf(row: Row): readonly Referrer[];
  groupsOf(row: Row): readonly Referrer[];
  /**
   * Everything a row refers to. Without `touch` the row must be new to us: whether it is known
   * already is then not checked.
   */
  add(row: Row, touch?: Touch): void;
  remove(row: Row, touch: Touch): void;
  /** What one column of a row refers to since it changed, at the cost of the change. */
  change(row: Row, role: ColumnRole, change: ColumnChange, touch: Touch): void;
}

/** The references of one database, from the side of the rows they point at. */
export function createReferences(
  roleOf: (table: string, column: ColumnSchema) => ColumnRole,
): References {
  const referrers = { parents: new Referrers(), groups: new Referrers() };

  const each = (
    role: ColumnRole,
    values: Iterable<Atom>,
    work: (to: Referrers, table: string, uuid: string) => void,
  ): void => {
    const { backward } = role;
    if (!backward) return;
    for (const value of values)
      if (typeof value === 'string')
        for (const table of backward.tables) work(referrers[backward.as], table, value);
  };
  const add = (
    role: ColumnRole,
    values: Iterable<Atom>,
    referrer: Referrer,
    touch: Touch | undefined,
  ): void =>
    each(role, values, (to, table, uuid) => {
      to.add(table, uuid, referrer, touch !== undefined);
      touch?.(table, uuid);
    });
  const remove = (
    role: ColumnRole,
    values: Iterable<Atom>,
    referrer: Referrer,
    touch: Touch,
  ): void =>
    each(role, values, (to, table, uuid) => {
      to.remove(table, uuid, referrer);
      touch(table, uuid);
    });
  const referrerOf = (row: Row, role: ColumnRole): Referrer => ({
    column: role.name,
    kind: row.table,
    uid: row.uuid,
  });

  return {
    parentsOf: (row) => referrers.parents.of(row.table, row.uuid),
    groupsOf: (row) => referrers.groups.of(row.table, row.uuid),
    add(row, touch) {
      for (const [column, value] of row.columns()) {
        const role = roleOf(row.table, column);
        if (role.backward) add(role, uuidsIn(value), referrerOf(row, role), touch);
      }
    },
    remove(row, touch) {
      for (const [column, value] of row.columns()) {
        const role = roleOf(row.table, column);
        if (role.backward) remove(role, uuidsIn(value), referrerOf(row, role), touch);
      }
    },
    change(row, role, change, touch) {
      const [removed, added] =
        'added' in change
          ? [change.removed, change.added]
          : [uuidsIn(change.old), uuidsIn(change.new)];
      remove(role, removed, referrerOf(row, role), touch);
      add(role, added, referrerOf(row, role), touch);
    },
  };
}
