import {
  type Atom,
  type ColumnSchema,
  equal,
  type Row,
  uuidsIn,
  type Value,
} from '@ovn-steward/ovsdb';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import { conflicts } from './conflicts';
import { type Difference, homelessColumns, type Pair, type RowDifference } from './difference';
import {
  backupRow,
  type Draft,
  draftOf,
  type PlanInput,
  planInputOf,
  isRoot,
  isSelected,
  liveRow,
  type RestoreSelection,
} from './draft';
import { unheld } from './holding';
import { isAccessTable } from './kept-columns';
import type { Leave, PlannedRow, DraftValues } from './planned';
import { referenceOf } from './references';
import { insertedValue, resetValue, titled } from './restored-values';

export interface PlannedRemoval {
  readonly table: string;
  readonly uuid: string;
}

/** What is not done or not put back, and why. */
export interface Exception {
  readonly table: string;
  readonly uuid: string;
  readonly says: string;
}

/** What restoring does, all of it and nothing else. */
export interface RestorePlan {
  readonly inserts: readonly PlannedRow[];
  /** Only the columns that change. */
  readonly updates: readonly PlannedRow[];
  readonly removals: readonly PlannedRemoval[];
  /** Selected rows that are left as they are. */
  readonly leftOut: readonly Exception[];
  /** References that do not come back. */
  readonly losses: readonly Exception[];
}

/**
 * What to write so that the selected rows are again as in the backup. Pure. A row that cannot be
 * put back as it was is left out with the reason; rows that then lack it are checked again, until
 * no more are left out.
 */
export function planRestore(
  pair: Pair,
  difference: Difference,
  selection: RestoreSelection,
): RestorePlan {
  const input = planInputOf(pair, difference, selection);
  const out = refusedBeforehand(input);
  const unshown = new Set(
    difference.rows
      .filter((it) => !isOfSelection(it, selection))
      .map((it) => rowKey(it.table, it.uuid))
      .filter((key) => out.has(key)),
  );
  for (;;) {
    const draft = draftOf(input, out);
    const losses: Exception[] = [];
    const before = out.size;
    const leave = (table: string, uuid: string, says: string): void =>
      void (out.has(rowKey(table, uuid)) || out.set(rowKey(table, uuid), { table, uuid, says }));
    const values = valuesOf(draft, leave, (it) => losses.push(it));
    if (out.size === before) conflicts(draft, values, leave);
    if (out.size === before) unheld(draft, values, leave);
    if (out.size > before) continue;
    const removals = [...draft.removed.values()].map(({ table, uuid }) => ({ table, uuid }));
    return {
      inserts: [...values.inserts.values()],
      updates: [...values.updates.values()],
      removals,
      leftOut: [...out].filter(([key]) => !unshown.has(key)).map(([, it]) => it),
      losses,
    };
  }
}

/**
 * What no draft could change. It includes rows that were not selected: they might have come back
 * with what holds them.
 */
function refusedBeforehand(input: PlanInput): Map<string, Exception> {
  const out = new Map<string, Exception>();
  for (const row of input.difference.rows) {
    const says =
      row.is === 'missing' ? withoutPlace(input, row) : untouchable(row, input.selection);
    if (says !== undefined)
      out.set(rowKey(row.table, row.uuid), { table: row.table, uuid: row.uuid, says });
  }
  return out;
}

function withoutPlace(input: PlanInput, { table, uuid }: RowDifference): string | undefined {
  if (!input.live.schema.tables.has(table)) return `the living database has no table ${table}`;
  const row = backupRow(input, table, uuid);
  const homeless = row ? homelessColumns(row, input.common(table)) : [];
  return homeless.length > 0
    ? `the living database has no such column, or does not take its value: ${homeless.join(', ')}`
    : undefined;
}

function untouchable(
  rowDifference: RowDifference,
  { owners, removeNew }: RestoreSelection,
): string | undefined {
  if (rowDifference.kept && (rowDifference.is === 'changed' || removeNew))
    return 'a person keeps it is (ovn-steward.dev/protect)';
  return rowDifference.ownerBefore !== undefined && owners
    ? `it was ${rowDifference.ownerBefore}'s and is ${rowDifference.owner}'s now`
    : undefined;
}

/** Whether the row belongs to the selection, so that the plan says why it was left. */
const isOfSelection = (rowDifference: RowDifference, selection: RestoreSelection): boolean =>
  isSelected(rowDifference, selection) ||
  (rowDifference.ownerBefore !== undefined &&
    isSelected({ table: rowDifference.table, owner: rowDifference.ownerBefore }, selection));

function valuesOf(draft: Draft, leave: Leave, lose: (it: Exception) => void): DraftValues {
  const inserts = new Map<string, PlannedRow>();
  const updates = new Map<string, PlannedRow>();
  for (const [key, row] of draft.inserted)
    inserts.set(key, {
      table: row.table,
      uuid: row.uuid,
      columns: insertedColumns(draft, row, leave, lose),
    });
  for (const [key, { table, uuid, columns }] of draft.reset) {
    const before = backupRow(draft, table, uuid);
    const now = liveRow(draft, table, uuid);
    if (before && now)
      updates.set(key, { table, uuid, columns: resetColumns(draft, before, now, columns, lose) });
  }
  const change = (
    table: string,
    uuid: string,
    column: ColumnSchema,
    to: (value: Value) => Value,
  ): void => {
    const key = rowKey(table, uuid);
    const held = updates.get(key)?.columns ?? new Map<string, Value>();
    const value = held.has(column.name)
      ? held.get(column.name)
      : liveRow(draft, table, uuid)?.get(column.name);
    updates.set(key, { table, uuid, columns: new Map(held).set(column.name, to(value)) });
  };
  linkInserted(draft, change, lose);
  unlinkRemoved(draft, change);
  for (const [key, { columns }] of updates) if (columns.size === 0) updates.delete(key);
  return { inserts, updates };
}

type Change = (
  table: string,
  uuid: string,
  column: ColumnSchema,
  to: (value: Value) => Value,
) => void;

function insertedColumns(
  draft: Draft,
  row: Row,
  leave: Leave,
  lose: (it: Exception) => void,
): Map<string, Value> {
  const columns = new Map<string, Value>();
  for (const column of draft.common(row.table).values()) {
    const restored = insertedValue(draft, row, column);
    if ('impossible' in restored) leave(row.table, row.uuid, restored.impossible);
    else {
      columns.set(column.name, restored.value);
      for (const says of restored.lost) lose({ table: row.table, uuid: row.uuid, says });
    }
  }
  return columns;
}

function resetColumns(
  draft: Draft,
  before: Row,
  now: Row,
  names: readonly string[],
  lose: (it: Exception) => void,
): Map<string, Value> {
  const columns = new Map<string, Value>();
  for (const name of names) {
    const column = draft.common(now.table).get(name);
    const restored = column && resetValue(draft, before, now, column);
    if (!restored || 'impossible' in restored) continue;
    for (const says of restored.lost) lose({ table: now.table, uuid: now.uuid, says });
    if (!equal(restored.value, now.get(name))) columns.set(name, restored.value);
  }
  return columns;
}

/**
 * Rows that stand, and are not set back themselves, refer again to what is put back; the database
 * had made them forget it, or they let it go.
 */
function linkInserted(draft: Draft, change: Change, lose: (it: Exception) => void): void {
  for (const [key, row] of draft.inserted) {
    for (const by of draft.then.get(key) ?? []) {
      const holder = rowKey(by.table, by.uuid);
      const now = liveRow(draft, by.table, by.uuid);
      const column = draft.common(by.table).get(by.column.column.name);
      if (
        !now ||
        !column ||
        draft.inserted.has(holder) ||
        draft.reset.has(holder) ||
        draft.removed.has(holder)
      )
        continue;
      const value = now.get(column.name);
      const why = noLink(draft, holder, column, value);
      if (why === undefined)
        change(by.table, by.uuid, column, (held) =>
          column.kind === 'set'
            ? new Set<Atom>([...(held as ReadonlySet<Atom>), row.uuid])
            : row.uuid,
        );
      else if (!uuidsIn(value).includes(row.uuid))
        lose({
          table: by.table,
          uuid: by.uuid,
          says: `${column.name} referred to ${titled(draft, row.table, row.uuid)} and does not again: ${why}`,
        });
    }
  }
}

function noLink(
  draft: Draft,
  holder: string,
  column: ColumnSchema,
  value: Value,
): string | undefined {
  const reference = referenceOf(column);
  if (draft.differences.get(holder)?.kept === true) return 'a person keeps the row as it is';
  if (reference && isAccessTable(reference.to) && draft.tables?.has(reference.to) !== true)
    return 'it says who may connect';
  if (!column.mutable) return 'the column can never be changed';
  return column.kind !== 'set' && value !== undefined ? 'it refers to another row now' : undefined;
}

/** A row that is no root goes when nothing holds it any more. */
function unlinkRemoved(draft: Draft, change: Change): void {
  for (const [key, { table, uuid }] of draft.removed) {
    if (isRoot(draft, table)) continue;
    for (const by of draft.now.get(key) ?? []) {
      if (by.column.strength === 'weak' || draft.removed.has(rowKey(by.table, by.uuid))) continue;
      change(by.table, by.uuid, by.column.column, (held) =>
        held instanceof Set
          ? new Set([...(held as ReadonlySet<Atom>)].filter((one) => one !== uuid))
          : undefined,
      );
    }
  }
}
