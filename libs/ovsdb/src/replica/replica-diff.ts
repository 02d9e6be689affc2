import type { Replica } from './replica';
import type { Row } from '../schema/row';
import type { ColumnChange, RowChange } from './row-change';
import { equal } from '../schema/value';

const NOTHING: ReadonlyMap<string, ColumnChange> = new Map();

/**
 * The changes that turn one replica into another. The two need not have the same schema or columns:
 * rows are matched by table and uuid alone. A column known on one side only counts as changed.
 * Cost: all rows of both.
 */
export function diffReplicas(before: Replica, after: Replica): RowChange[] {
  const changes: RowChange[] = [];
  for (const table of after.schema.tables.keys()) {
    const known = before.schema.tables.has(table);
    for (const row of after.rows(table)) {
      const old = known ? before.get(table, row.uuid) : undefined;
      const changed = old === undefined ? NOTHING : diffRows(old, row);
      if (old === undefined || changed.size > 0)
        changes.push({
          kind: old === undefined ? 'insert' : 'modify',
          table,
          uuid: row.uuid,
          row,
          changed,
        });
    }
  }
  for (const table of before.schema.tables.keys()) {
    const kept = after.schema.tables.has(table);
    for (const row of before.rows(table)) {
      if (!kept || after.get(table, row.uuid) === undefined)
        changes.push({ kind: 'delete', table, uuid: row.uuid, row, changed: NOTHING });
    }
  }
  return changes;
}

function diffRows(old: Row, row: Row): ReadonlyMap<string, ColumnChange> {
  const changed = new Map<string, ColumnChange>();
  const columns = new Set([...old.columns(), ...row.columns()].map(([{ name }]) => name));
  for (const name of columns) {
    if (old.has(name) !== row.has(name) || !equal(old.get(name), row.get(name)))
      changed.set(name, { old: old.get(name), new: row.get(name) });
  }
  return changed;
}
