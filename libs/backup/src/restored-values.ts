import {
  type Atom,
  type ColumnSchema,
  equal,
  type Row,
  uuidsIn,
  type Value,
} from '@ovn-steward/ovsdb';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import { desiredValue } from './difference';
import { backupRow, type Draft, isRoot, liveRow, standsAfter } from './draft';
import { type ReferenceColumn, referenceOf, type ReferredBy } from './references';

/**
 * A column's value once restored; or why the row cannot be restored with it. `lost`: references
 * that cannot be put back, a sentence each.
 */
export type RestoredValue =
  { readonly value: Value; readonly lost: readonly string[] } | { readonly impossible: string };

const exactly = (value: Value): RestoredValue => ({ value, lost: [] });
const setOf = (uuids: readonly string[]): ReadonlySet<Atom> => new Set<Atom>(uuids);
const isHold = (draft: Draft, reference: ReferenceColumn): boolean =>
  reference.strength === 'strong' && !isRoot(draft, reference.to);

/** How a sentence names a row of the backup or of the living database. */
export function titled(draft: Draft, table: string, uuid: string): string {
  const name = (backupRow(draft, table, uuid) ?? liveRow(draft, table, uuid))?.get('name');
  return typeof name === 'string' && name !== ''
    ? `${table} ${name} (${uuid})`
    : `${table} ${uuid}`;
}

/** What a row that is put back gets in a column. */
export function insertedValue(draft: Draft, row: Row, column: ColumnSchema): RestoredValue {
  const desired = desiredValue(row, undefined, column, draft.tables);
  const reference = referenceOf(column);
  if (!reference) return exactly(desired);
  const uuids = uuidsIn(desired);
  const good = uuids.filter((uuid) => mayHold(draft, reference, uuid));
  if (good.length === uuids.length) return exactly(desired);
  const lost = uuids
    .filter((uuid) => !good.includes(uuid))
    .map(
      (uuid) =>
        `${titled(draft, reference.to, uuid)} ${standsAfter(draft, reference.to, uuid) ? 'is held by another row now' : 'is gone and not put back'}: ${column.name} is restored without it`,
    );
  const single = column.kind !== 'set';
  if (reference.strength === 'strong' && (single || !isHold(draft, reference)))
    return {
      impossible: `its column ${column.name} needs ${titled(draft, reference.to, uuids.find((it) => !good.includes(it)) ?? '')}, which is gone and not put back`,
    };
  if (good.length < column.min)
    return {
      impossible: `its column ${column.name} must not be empty, and what it referred to is gone`,
    };
  return { value: single ? undefined : setOf(good), lost };
}

/**
 * Whether a reference to the row may be written: it stands, and no other row than those of the
 * backup goes on holding it.
 */
function mayHold(draft: Draft, reference: ReferenceColumn, uuid: string): boolean {
  if (!standsAfter(draft, reference.to, uuid)) return false;
  if (!isHold(draft, reference)) return true;
  const key = rowKey(reference.to, uuid);
  const then = draft.then.get(key) ?? [];
  return (draft.now.get(key) ?? []).every(
    (by) =>
      by.column.strength === 'weak' ||
      then.some((it) => sameColumn(it, by)) ||
      draft.removed.has(rowKey(by.table, by.uuid)) ||
      draft.reset.has(rowKey(by.table, by.uuid)),
  );
}

const sameColumn = (one: ReferredBy, other: ReferredBy): boolean =>
  one.uuid === other.uuid &&
  one.table === other.table &&
  one.column.column.name === other.column.column.name;

/**
 * What a living row gets in a column that is set back. New rows that it refers to, it goes on
 * referring to.
 */
export function resetValue(
  draft: Draft,
  before: Row,
  now: Row,
  column: ColumnSchema,
): RestoredValue {
  const desired = desiredValue(before, now, column, draft.tables);
  const live = now.get(column.name);
  if (equal(desired, live)) return exactly(live);
  if (!column.mutable) return { value: live, lost: [`column ${column.name} can never be changed`] };
  const reference = referenceOf(column);
  if (!reference) return exactly(desired);
  return column.kind === 'set'
    ? resetSet(draft, { table: now.table, uuid: now.uuid, column: reference }, desired, live)
    : resetSingle(draft, reference, desired, live);
}

function resetSet(draft: Draft, at: ReferredBy, desired: Value, live: Value): RestoredValue {
  const { column: reference } = at;
  const { column } = reference;
  const then = uuidsIn(desired);
  const is = uuidsIn(live);
  const kept = is.filter((uuid) => !then.includes(uuid) && staysReferred(draft, at, uuid));
  const good = then.filter((uuid) =>
    is.includes(uuid)
      ? !draft.removed.has(rowKey(reference.to, uuid))
      : mayHold(draft, reference, uuid),
  );
  const lost = then
    .filter((uuid) => !good.includes(uuid))
    .map(
      (uuid) =>
        `${column.name} referred to ${titled(draft, reference.to, uuid)}, which is ${standsAfter(draft, reference.to, uuid) ? 'held by another row now' : 'gone and not put back'}`,
    );
  if (good.length + kept.length < column.min)
    return {
      value: live,
      lost: [...lost, `column ${column.name} must not be empty and stays as it is`],
    };
  return { value: setOf([...good, ...kept]), lost };
}

function resetSingle(
  draft: Draft,
  reference: ReferenceColumn,
  desired: Value,
  live: Value,
): RestoredValue {
  const { name } = reference.column;
  const [to] = uuidsIn(desired);
  const [from] = uuidsIn(live);
  if (to !== undefined && !mayHold(draft, reference, to))
    return {
      value: live,
      lost: [
        `${name} referred to ${titled(draft, reference.to, to)}, which is gone and not put back; it stays as it is`,
      ],
    };
  if (
    from !== undefined &&
    isHold(draft, reference) &&
    !draft.removed.has(rowKey(reference.to, from))
  )
    return {
      value: live,
      lost: [
        `${name} alone holds ${titled(draft, reference.to, from)}, which would go with it; it stays as it is`,
      ],
    };
  return exactly(desired);
}

/** Of a row that the backup did not refer to here: whether the living reference stays. */
function staysReferred(draft: Draft, at: ReferredBy, uuid: string): boolean {
  const { column: reference } = at;
  if (draft.removed.has(rowKey(reference.to, uuid))) return false;
  if (!backupRow(draft, reference.to, uuid)) return true;
  if (!isHold(draft, reference)) return false;
  // It was held elsewhere: it goes back there, or it stays here, but it is never without a holder.
  return !(draft.then.get(rowKey(reference.to, uuid)) ?? []).some(
    (by) => by.column.strength === 'strong' && holdsAfter(draft, by, uuid),
  );
}

function holdsAfter(draft: Draft, by: ReferredBy, uuid: string): boolean {
  const key = rowKey(by.table, by.uuid);
  if (draft.inserted.has(key)) return true;
  const row = liveRow(draft, by.table, by.uuid);
  if (!row || draft.removed.has(key)) return false;
  return uuidsIn(row.get(by.column.column.name)).includes(uuid) || draft.reset.has(key);
}
