import { compareValues } from '@ovn-steward/shared/compare';

/** How many there are of one thing. */
export interface NamedCount {
  readonly name: string;
  readonly count: number;
}

/**
 * Counts by name, the most first and equals by name. A thing may count under no name (undefined).
 */
export function tallied<T>(
  things: Iterable<T>,
  nameOf: (thing: T) => string | undefined,
): readonly NamedCount[] {
  const counts = new Map<string, number>();
  for (const thing of things) {
    const name = nameOf(thing);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || compareValues(a.name, b.name));
}
