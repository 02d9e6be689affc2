import type { Value } from '@ovn-steward/ovsdb';

/** A text that equal values share, whatever the order of sets and maps. */
export function valueText(value: Value): string {
  if (value instanceof Set) return JSON.stringify([...value].map(String).sort());
  if (value instanceof Map)
    return JSON.stringify(
      [...(value as ReadonlyMap<unknown, unknown>)]
        .map(([key, held]) => JSON.stringify([String(key), String(held)]))
        .sort(),
    );
  return JSON.stringify(value === undefined ? null : [typeof value, String(value)]);
}
