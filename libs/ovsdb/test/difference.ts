import type { ColumnSchema } from '../src/schema/schema';
import { type Atom, encode, type Value } from '../src/schema/value';

/**
 * The difference a server would send, worked out the plain way: the tests' own reading of
 * ovsdb-server(7), section 4.1.14.
 */
export function differenceJson(column: ColumnSchema, before: Value, after: Value): unknown {
  if (column.max === 1) return encode(column, after);
  if (before instanceof Map && after instanceof Map) {
    const pairs = new Map<Atom, Atom>();
    for (const [key, value] of before) if (!after.has(key)) pairs.set(key, value);
    for (const [key, value] of after) if (before.get(key) !== value) pairs.set(key, value);
    return encode(column, pairs);
  }
  const old = before as ReadonlySet<Atom>;
  const now = after as ReadonlySet<Atom>;
  return encode(
    column,
    new Set([
      ...[...old].filter((atom) => !now.has(atom)),
      ...[...now].filter((atom) => !old.has(atom)),
    ]),
  );
}
