import { type ColumnSchema, type Row, uuidsIn } from '@ovn-steward/ovsdb';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import { commonColumns, type Difference, type Pair, type RowDifference } from './difference';
import { isAccessTable } from './kept-columns';
import { referenceOf, type ReferredBy, referrersIn } from './references';

/** What of a difference is to be taken back. */
export interface RestoreSelection {
  /** Only rows of these owners, and what they hold; undefined for all. */
  readonly owners: ReadonlySet<string> | undefined;
  /**
   * Only rows of these tables, and what they hold; undefined for all but those that say who may
   * connect.
   */
  readonly tables: ReadonlySet<string> | undefined;
  /** Whether rows that the backup does not have are removed. */
  readonly removeNew: boolean;
}

/** What does not change while a plan is made. */
export interface PlanInput extends Pair {
  readonly difference: Difference;
  /** Its rows by `rowKey`. */
  readonly differences: ReadonlyMap<string, RowDifference>;
  readonly selection: RestoreSelection;
  /** Who referred to each row then, and who does now, by `rowKey`. */
  readonly then: ReadonlyMap<string, readonly ReferredBy[]>;
  readonly now: ReadonlyMap<string, readonly ReferredBy[]>;
  readonly common: (table: string) => ReadonlyMap<string, ColumnSchema>;
}

export function planInputOf(
  pair: Pair,
  difference: Difference,
  selection: RestoreSelection,
): PlanInput {
  const { backup, live, tables } = pair;
  const columns = new Map<string, ReadonlyMap<string, ColumnSchema>>();
  const common = (table: string): ReadonlyMap<string, ColumnSchema> => {
    let found = columns.get(table);
    if (!found) {
      found = commonColumns(table, backup.schema, live.schema);
      columns.set(table, found);
    }
    return found;
  };
  return {
    backup,
    live,
    tables,
    difference,
    differences: new Map(difference.rows.map((it) => [rowKey(it.table, it.uuid), it])),
    selection,
    then: referrersIn(backup),
    now: referrersIn(live),
    common,
  };
}

/** Which rows a plan would touch, before the effects on other rows are computed. */
export interface Draft extends PlanInput {
  /** Rows to be put back, as the backup has them. */
  readonly inserted: ReadonlyMap<string, Row>;
  /** Rows whose columns are to be set back. */
  readonly reset: ReadonlyMap<string, RowDifference>;
  /** Rows to be removed. */
  readonly removed: ReadonlyMap<string, RowDifference>;
}

export const isSelected = (
  row: Pick<RowDifference, 'table' | 'owner'>,
  { owners, tables }: RestoreSelection,
): boolean =>
  owners?.has(row.owner) !== false && (tables ? tables.has(row.table) : !isAccessTable(row.table));

export const isRoot = ({ live }: Pair, table: string): boolean =>
  live.schema.tables.get(table)?.isRoot === true;

export const liveRow = ({ live }: Pair, table: string, uuid: string): Row | undefined =>
  live.schema.tables.has(table) ? live.get(table, uuid) : undefined;
export const backupRow = ({ backup }: Pair, table: string, uuid: string): Row | undefined =>
  backup.schema.tables.has(table) ? backup.get(table, uuid) : undefined;

/** Whether the row is there once the draft is carried out. */
export const standsAfter = (draft: Draft, table: string, uuid: string): boolean => {
  const key = rowKey(table, uuid);
  return (
    draft.inserted.has(key) ||
    (liveRow(draft, table, uuid) !== undefined && !draft.removed.has(key))
  );
};

/** @param out rows that a former draft could not touch. */
export function draftOf(input: PlanInput, out: ReadonlyMap<string, unknown>): Draft {
  const inserted = new Map<string, Row>();
  const reset = new Map<string, RowDifference>();
  const removed = new Map<string, RowDifference>();
  for (const row of input.difference.rows) {
    const key = rowKey(row.table, row.uuid);
    if (out.has(key) || !isSelected(row, input.selection)) continue;
    if (row.is === 'changed') reset.set(key, row);
    else if (row.is === 'new' && input.selection.removeNew) removed.set(key, row);
    else if (row.is === 'missing') takeWithParts(input, row.table, row.uuid, inserted, out);
  }
  return { ...input, inserted, reset, removed };
}

/** A missing row and the missing rows that it cannot be without, whatever their owner. */
function takeWithParts(
  input: PlanInput,
  table: string,
  uuid: string,
  inserted: Map<string, Row>,
  out: ReadonlyMap<string, unknown>,
): void {
  const waiting: [table: string, uuid: string][] = [[table, uuid]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const key = rowKey(...next);
    const row = backupRow(input, ...next);
    if (!row || inserted.has(key) || out.has(key) || liveRow(input, ...next)) continue;
    inserted.set(key, row);
    for (const column of input.common(row.table).values()) {
      const reference = referenceOf(column);
      if (
        reference?.strength !== 'strong' ||
        isRoot(input, reference.to) ||
        isAccessTable(reference.to)
      )
        continue;
      for (const part of uuidsIn(row.get(column.name))) waiting.push([reference.to, part]);
    }
  }
}
