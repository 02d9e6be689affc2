/** Counts one more or one less under the key; a key of which none is left is not there. */
export function tallyCount(map: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (map.get(key) ?? 0) + by;
  if (count > 0) map.set(key, count);
  else map.delete(key);
}
