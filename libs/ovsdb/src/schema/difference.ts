import type { ColumnSchema } from './schema';
import { type Atom, decode, EMPTY_MAP, EMPTY_SET, type Value } from './value';

/** What a set gained and lost. */
export interface SetChange {
  readonly added: readonly Atom[];
  readonly removed: readonly Atom[];
}

/**
 * Which elements a symmetric difference adds to and removes from a set. The cost is that of the
 * difference, not of the set.
 */
export function splitDifference(old: ReadonlySet<Atom>, difference: ReadonlySet<Atom>): SetChange {
  const added: Atom[] = [];
  const removed: Atom[] = [];
  for (const element of difference) (old.has(element) ? removed : added).push(element);
  return { added, removed };
}

function exclusiveOr(old: ReadonlySet<Atom>, difference: ReadonlySet<Atom>): ReadonlySet<Atom> {
  const { added, removed } = splitDifference(old, difference);
  const result = new Set(old);
  for (const element of removed) result.delete(element);
  for (const element of added) result.add(element);
  return result.size === 0 ? EMPTY_SET : result;
}

/**
 * A key that is new is added; one with an equal value is removed; one with another value takes the
 * new value.
 */
function mergeMap(
  old: ReadonlyMap<Atom, Atom>,
  difference: ReadonlyMap<Atom, Atom>,
): ReadonlyMap<Atom, Atom> {
  const result = new Map(old);
  for (const [key, value] of difference) {
    if (old.get(key) === value) result.delete(key);
    else result.set(key, value);
  }
  return result.size === 0 ? EMPTY_MAP : result;
}

/**
 * The value after a decoded difference, as `update2`, `update3` and file transactions with
 * `_is_diff` carry it (ovsdb-server(7) section 4.1.14, ovsdb(5)): a column of at most one element
 * is replaced, a larger set takes the symmetric difference, a map is merged key by key. `old` is
 * left as it is.
 */
export function mergeDifference(column: ColumnSchema, old: Value, difference: Value): Value {
  if (column.max === 1) return difference;
  if (difference instanceof Map)
    return mergeMap((old ?? EMPTY_MAP) as ReadonlyMap<Atom, Atom>, difference);
  return exclusiveOr((old ?? EMPTY_SET) as ReadonlySet<Atom>, difference as ReadonlySet<Atom>);
}

/**
 * {@link mergeDifference} of a difference as it was received.
 *
 * @throws OvsdbError `value-invalid`.
 */
export const applyDifference = (column: ColumnSchema, old: Value, difference: unknown): Value =>
  mergeDifference(column, old, decode(column, difference));
