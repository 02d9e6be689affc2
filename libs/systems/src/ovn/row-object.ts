import { ascendingBy, compareValues } from '@ovn-steward/shared/compare';
import { type Atom, type ColumnSchema, equal, type Row, type Value } from '@ovn-steward/ovsdb';
import type { ColumnRole } from './column-role';
import type { Referrer } from './referrers';

/** JSON has no integers beyond 2^53 that keep their value: those few become text. */
const plainAtom = (atom: Atom): string | number | boolean =>
  typeof atom === 'bigint' ? String(atom) : atom;

const byKey = ascendingBy(([key]: [string, unknown]) => key);

/**
 * A set as a sorted array and a map as a plain object with its keys in order, since OVSDB keeps
 * none; a uuid as its text.
 */
function plain(value: Exclude<Value, undefined>): unknown {
  if (value instanceof Set)
    return Array.from(value as ReadonlySet<Atom>, plainAtom).sort(compareValues);
  if (value instanceof Map)
    return Object.fromEntries(
      Array.from(value as ReadonlyMap<Atom, Atom>, ([key, held]): [string, unknown] => [
        String(key),
        plainAtom(held),
      ]).sort(byKey),
    );
  return plainAtom(value as Atom);
}

/**
 * A row as rules see it: its columns but those that hold their default or were never sent,
 * `_parents` with the rows that hold it by a strong reference, and `_port_groups` with the uids of
 * the port groups that list it.
 */
export function rowObject(
  row: { columns(): Iterable<[ColumnSchema, Value]> },
  roleOf: (column: ColumnSchema) => ColumnRole,
  parents: readonly Referrer[],
  groups: readonly Referrer[],
): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [column, value] of row.columns()) {
    const role = roleOf(column);
    if (role.forward && value !== undefined && !equal(value, role.default))
      object[role.name] = plain(value);
  }
  if (parents.length) object['_parents'] = parents;
  if (groups.length) object['_port_groups'] = groups.map((it) => it.uid);
  return object;
}

/**
 * The row's `name`, and of a binding in the Southbound its `logical_port`, which is as unique;
 * empty for tables and rows without one.
 */
export function rowName(row: Pick<Row, 'table' | 'get'>): string {
  const name = row.get(row.table === 'Port_Binding' ? 'logical_port' : 'name');
  return typeof name === 'string' ? name : '';
}
