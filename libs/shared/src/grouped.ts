/** What has the same key, together; groups and what is in them in the order given. */
export function grouped<T, K>(all: Iterable<T>, keyOf: (it: T) => K): ReadonlyMap<K, readonly T[]> {
  // Map.groupBy needs Node 21.
  const groups = new Map<K, T[]>();
  for (const member of all) {
    const key = keyOf(member);
    const group = groups.get(key);
    if (group) group.push(member);
    else groups.set(key, [member]);
  }
  return groups;
}
