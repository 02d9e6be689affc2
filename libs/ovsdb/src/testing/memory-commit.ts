import type { MemoryChanges } from './memory-changes';
import { type MemoryRow, targetsOf } from './memory-table';
import { countOf, elementsOf, OperationError } from './memory-values';
import type { Atom } from '@ovn-steward/ovsdb';

/**
 * What ovsdb-server does when all operations passed, in its order.
 * @throws OperationError, after which all is to be rolled back.
 */
export function commit(changes: MemoryChanges): void {
  checkReferences(changes);
  collectGarbage(changes);
  checkMaxRows(changes);
  dropWeakReferences(changes);
  updateIndexes(changes);
}

const alive = (row: MemoryRow): boolean => row.table.rows.get(row.uuid) === row;

/** Before garbage is collected: who is about to be collected still holds what it refers to. */
function checkReferences({ deleted, dangling }: MemoryChanges): void {
  for (const { link, row, target } of dangling) {
    if (
      link.strong &&
      link.to.rows.get(target) === undefined &&
      target !== row.uuid &&
      link.to.referrers.get(target)?.get(link)?.has(row) === true
    )
      throw new OperationError(
        'referential integrity violation',
        `Table ${row.table.name} column ${row.table.column(link.position).name} row ${row.uuid} references nonexistent row ${target} in table ${link.to.name}.`,
      );
  }
  for (const { table, uuid } of deleted) {
    // A row that was inserted, deleted and inserted again is there.
    if (table.rows.has(uuid)) continue;
    const references = table.strongReferences(uuid);
    if (references > 0)
      throw new OperationError(
        'referential integrity violation',
        `cannot delete ${table.name} row ${uuid} because of ${references} remaining reference(s)`,
      );
  }
}

function collectGarbage(changes: MemoryChanges): void {
  // What is deleted here may leave others loose, which are then seen, too: a Set may grow while it
  // is walked.
  for (const row of changes.loose) {
    if (!row.table.isRoot && alive(row) && row.table.strongReferences(row.uuid) === 0) {
      changes.delete(row);
      continue;
    }
    changes.loose.delete(row);
  }
}

function checkMaxRows({ touched }: MemoryChanges): void {
  for (const table of new Set(Array.from(touched, (row) => row.table))) {
    if (table.rows.size > table.schema.maxRows)
      throw new OperationError(
        'constraint violation',
        `transaction causes "${table.name}" table to contain ${table.rows.size} rows, greater than the schema-defined limit of ${table.schema.maxRows} row(s)`,
      );
  }
}

function dropWeakReferences(changes: MemoryChanges): void {
  const drop = (row: MemoryRow, position: number, target: string): void => {
    const column = row.table.column(position);
    const old = row.slots[position];
    if (column.kind === 'set') changes.take(row, position, [target]);
    else if (column.value === undefined) changes.set(row, position, undefined);
    else changes.set(row, position, withoutTarget(row, position, target));
    if (countOf(row.slots[position]) < column.min)
      throw new OperationError(
        'constraint violation',
        `Deletion of ${countOf(old) - countOf(row.slots[position])} weak reference(s) to deleted (or never-existing) rows from column "${column.name}" in "${row.table.name}" row ${row.uuid} caused this column to have an invalid number of elements.`,
      );
  };
  for (const { link, row, target } of changes.dangling) {
    if (
      !link.strong &&
      alive(row) &&
      !link.to.rows.has(target) &&
      link.to.referrers.get(target)?.get(link)?.has(row) === true
    )
      drop(row, link.position, target);
  }
  for (const { table, uuid } of changes.deleted) {
    if (table.rows.has(uuid)) continue;
    for (const [link, rows] of [...(table.referrers.get(uuid) ?? [])]) {
      if (!link.strong)
        for (const row of [...rows.keys()]) if (alive(row)) drop(row, link.position, uuid);
    }
  }
}

/** A map without the pairs that refer to the row. */
function withoutTarget(row: MemoryRow, position: number, target: string): ReadonlyMap<Atom, Atom> {
  const links = row.table.links[position] ?? [];
  const gone = (key: Atom, held: Atom): boolean =>
    links.some(
      (link) =>
        [...targetsOf(link, new Map([[key, held]]))].includes(target) &&
        !link.strong &&
        !link.to.rows.has(target),
    );
  return new Map(
    [...(row.slots[position] as ReadonlyMap<Atom, Atom>)].filter(([key, held]) => !gone(key, held)),
  );
}

/** All that left a place first: names may be swapped within a transaction. */
function updateIndexes(changes: MemoryChanges): void {
  const moved: { row: MemoryRow; at: number; key: string }[] = [];
  for (const row of changes.touched) {
    for (const [at, index] of row.table.indexes.entries()) {
      const old = row.keys[at];
      const key = alive(row) ? row.table.key(index, row) : undefined;
      if (key === old) continue;
      if (old !== undefined) {
        index.rows.delete(old);
        changes.did(() => index.rows.set(old, row));
      }
      row.keys[at] = key;
      changes.did(() => {
        row.keys[at] = old;
      });
      if (key !== undefined) moved.push({ row, at, key });
    }
  }
  for (const { row, at, key } of moved) {
    const index = row.table.indexes[at];
    const other = index?.rows.get(key);
    if (index === undefined || other === row) continue;
    if (other !== undefined) throw duplicate(row, other, index.columns);
    index.rows.set(key, row);
    changes.did(() => index.rows.delete(key));
  }
}

function duplicate(row: MemoryRow, other: MemoryRow, columns: readonly string[]): OperationError {
  const { table } = row;
  const values = columns
    .map((column) =>
      JSON.stringify([...elementsOf(table.slot(row, table.position(column)))].map(String)),
    )
    .join(' and ');
  return new OperationError(
    'constraint violation',
    `Transaction causes multiple rows in "${table.name}" table to have identical values (${values}) for index on columns ${columns.map((column) => `"${column}"`).join(' and ')}: ${row.uuid} and ${other.uuid}.`,
  );
}
