import type { Json } from '@ovn-steward/ovsdb';

/** The text of an atom that is a key: a uuid's without its tag. */
const textOf = (atom: Json | undefined): string =>
  Array.isArray(atom) && atom[0] === 'uuid' ? String(atom[1]) : String(atom);

/**
 * One entry of a value in the JSON of RFC 7047 section 5.1: `["map", [[key, value]]]`, `["set",
 * [element]]`, or the one element of a set, given bare.
 * @returns what a map says under the key; null for a set that has it; undefined where it is not.
 */
export function entryIn(json: Json | undefined, key: string): Json | null | undefined {
  if (json === undefined) return undefined;
  const [tag, content] = Array.isArray(json) ? (json as readonly Json[]) : [];
  if (tag === 'map')
    return (content as readonly (readonly Json[])[]).find(([it]) => textOf(it) === key)?.[1];
  const elements = tag === 'set' ? (content as readonly Json[]) : [json];
  return elements.some((it) => textOf(it) === key) ? null : undefined;
}
