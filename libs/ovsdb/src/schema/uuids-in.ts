import { type Atom, isUuid, type Value } from './value';

/**
 * The uuids in the value of a column that refers to rows, each once, in whatever form: one, a set
 * of them, or either side of a map.
 */
export function uuidsIn(value: Value): readonly string[] {
  if (value instanceof Set) return [...(value as ReadonlySet<string>)];
  if (value instanceof Map)
    return [...new Set([...(value as ReadonlyMap<Atom, Atom>)].flat().filter(isUuid))];
  return typeof value === 'string' ? [value] : [];
}
