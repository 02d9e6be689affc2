import type { Row, Value } from '@ovn-steward/ovsdb';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import { counted } from '@ovn-steward/shared/counted';
import { type Draft, isRoot, liveRow } from './draft';
import { isKeptColumn } from './kept-columns';
import type { Leave, PlannedRow, DraftValues } from './planned';
import { titled } from './restored-values';
import { valueText } from './value-text';

/**
 * Tables whose names identify rows for people and controllers, though no index of the database
 * enforces it (NB schema 7.19).
 */
const NAMED: ReadonlySet<string> = new Set(['Logical_Switch', 'Logical_Router', 'Load_Balancer']);

/**
 * What the database would refuse, or would take though it makes two of one thing: indexes, names,
 * equal parts of one row, full tables.
 */
export function conflicts(draft: Draft, values: DraftValues, leave: Leave): void {
  const tables = new Set(
    [...values.inserts.values(), ...values.updates.values()].map((it) => it.table),
  );
  for (const table of tables) {
    const schema = draft.live.schema.tables.get(table);
    if (!schema) continue;
    for (const index of schema.indexes) takenIndexes(draft, values, table, index, leave);
    if (schema.indexes.length === 0) duplicates(draft, values, table, leave);
    tooMany(draft, values, table, schema.maxRows, leave);
  }
}

const ofTable = (rows: ReadonlyMap<string, PlannedRow>, table: string): PlannedRow[] =>
  [...rows.values()].filter((it) => it.table === table);

function takenIndexes(
  draft: Draft,
  { inserts, updates }: DraftValues,
  table: string,
  index: readonly string[],
  leave: Leave,
): void {
  const after = ({ uuid, columns }: PlannedRow): Value[] =>
    index.map((name) =>
      columns.has(name) ? columns.get(name) : liveRow(draft, table, uuid)?.get(name),
    );
  const moving = [
    ...ofTable(inserts, table),
    ...ofTable(updates, table).filter(({ columns }) => index.some((name) => columns.has(name))),
  ];
  const moves = new Set(moving.map((it) => it.uuid));
  const taken = new Map<string, string>();
  for (const plannedRow of moving) {
    const desired = after(plannedRow);
    const text = desired.map(valueText).join();
    const other = draft.live
      .lookup(table, index, desired)
      .find(
        (row) =>
          row.uuid !== plannedRow.uuid &&
          !moves.has(row.uuid) &&
          !draft.removed.has(rowKey(table, row.uuid)),
      );
    const holder = other?.uuid ?? taken.get(text);
    if (holder === undefined) taken.set(text, plannedRow.uuid);
    else
      leave(
        table,
        plannedRow.uuid,
        `its ${index.join(', ')} ${desired.map((value) => (typeof value === 'string' ? value : valueText(value))).join(', ')} is taken by row ${holder}`,
      );
  }
}

/**
 * In a table without an index a row that was recreated stands beside the old one: two switches of
 * one name, two equal routes.
 */
function duplicates(draft: Draft, { inserts }: DraftValues, table: string, leave: Leave): void {
  const coming = ofTable(inserts, table);
  if (coming.length === 0) return;
  const newer = new Map<string, Row[]>();
  for (const { table: of, uuid, is } of draft.difference.rows) {
    const row =
      of === table && is === 'new' && !draft.removed.has(rowKey(of, uuid))
        ? liveRow(draft, of, uuid)
        : undefined;
    const mark = row && markOf(draft, row);
    if (row && mark !== undefined) newer.set(mark, [...(newer.get(mark) ?? []), row]);
  }
  for (const plannedRow of coming) {
    const before = draft.inserted.get(rowKey(table, plannedRow.uuid));
    const mark = before && markOf(draft, before);
    const duplicate = (mark === undefined ? [] : (newer.get(mark) ?? [])).find(
      (row) => isRoot(draft, table) || shareHolder(draft, table, plannedRow.uuid, row.uuid),
    );
    if (duplicate)
      leave(
        table,
        plannedRow.uuid,
        `it exists again, recreated: ${titled(draft, table, duplicate.uuid)}`,
      );
  }
}

function markOf(draft: Draft, row: Row): string | undefined {
  if (NAMED.has(row.table))
    return typeof row.get('name') === 'string' && row.get('name') !== ''
      ? String(row.get('name'))
      : undefined;
  return [...draft.common(row.table).keys()]
    .filter((name) => !isKeptColumn(row, name, draft.tables))
    .map((name) => valueText(row.get(name)))
    .join();
}

function shareHolder(draft: Draft, table: string, then: string, now: string): boolean {
  const holders = new Set(
    (draft.then.get(rowKey(table, then)) ?? [])
      .filter((it) => it.column.strength === 'strong')
      .map((it) => rowKey(it.table, it.uuid)),
  );
  return (draft.now.get(rowKey(table, now)) ?? []).some(
    (it) => it.column.strength === 'strong' && holders.has(rowKey(it.table, it.uuid)),
  );
}

function tooMany(
  draft: Draft,
  { inserts }: DraftValues,
  table: string,
  maxRows: number,
  leave: Leave,
): void {
  const coming = ofTable(inserts, table);
  const removed = [...draft.removed.values()].filter((it) => it.table === table).length;
  if (draft.live.size(table) - removed + coming.length <= maxRows) return;
  for (const plannedRow of coming)
    leave(table, plannedRow.uuid, `${table} takes no more than ${counted(maxRows, 'row')}`);
}
