import { uuidsIn } from '@ovn-steward/ovsdb';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import { type Draft, isRoot, liveRow } from './draft';
import type { Leave, DraftValues } from './planned';
import { type ReferredBy, referenceOf } from './references';
import { titled } from './restored-values';

/**
 * What the database does beyond the operations it gets: it deletes rows that nothing holds, and
 * refuses to remove rows that others need.
 */
export function unheld(draft: Draft, values: DraftValues, leave: Leave): void {
  for (const [key, row] of draft.inserted) {
    if (isRoot(draft, row.table)) continue;
    const holders = (draft.then.get(key) ?? []).filter((by) => by.column.strength === 'strong');
    if (!holders.some((by) => holds(draft, values, by, row.uuid)))
      leave(
        row.table,
        row.uuid,
        holders.length === 0
          ? 'no row held it'
          : `what held it is gone or not restored: ${holders.map((by) => titled(draft, by.table, by.uuid)).join(', ')}`,
      );
  }
  for (const [key, { table, uuid }] of draft.removed) {
    const needs = (draft.now.get(key) ?? []).find(
      (by) => by.column.strength === 'strong' && holds(draft, values, by, uuid),
    );
    if (needs)
      leave(
        table,
        uuid,
        `${titled(draft, needs.table, needs.uuid)} needs it (${needs.column.column.name})`,
      );
    else keepWhatGoesWithIt(draft, values, table, uuid, leave);
  }
}

/** Whether the row still refers to that one by that column afterwards. */
function holds(
  draft: Draft,
  { inserts, updates }: DraftValues,
  by: ReferredBy,
  uuid: string,
): boolean {
  const key = rowKey(by.table, by.uuid);
  if (draft.removed.has(key)) return false;
  const { name } = by.column.column;
  const planned = inserts.get(key) ?? updates.get(key);
  const value = planned?.columns.has(name)
    ? planned.columns.get(name)
    : liveRow(draft, by.table, by.uuid)?.get(name);
  return uuidsIn(value).includes(uuid);
}

/**
 * A removed row takes with it what it alone holds: only if that is new as well and of the owners
 * that were named.
 */
function keepWhatGoesWithIt(
  draft: Draft,
  values: DraftValues,
  table: string,
  uuid: string,
  leave: Leave,
): void {
  const row = liveRow(draft, table, uuid);
  for (const [column, value] of row?.columns() ?? []) {
    const reference = referenceOf(column);
    if (reference?.strength !== 'strong' || isRoot(draft, reference.to)) continue;
    for (const part of uuidsIn(value)) {
      const key = rowKey(reference.to, part);
      const others = [...(draft.now.get(key) ?? []), ...(draft.then.get(key) ?? [])];
      if (
        draft.removed.has(key) ||
        others.some((by) => by.column.strength === 'strong' && holds(draft, values, by, part))
      )
        continue;
      const rowDifference = draft.differences.get(key);
      const isRemoved =
        rowDifference?.is === 'new' &&
        !rowDifference.kept &&
        draft.selection.owners?.has(rowDifference.owner) !== false;
      if (!isRemoved)
        leave(
          table,
          uuid,
          `it alone holds ${titled(draft, reference.to, part)}, which is not to be removed`,
        );
    }
  }
}
