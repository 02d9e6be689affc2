import type { Cause } from './finding';

/** Things of one cause; one whose cause is not known is alone. */
export interface OfOneCause<T> {
  readonly cause: Cause | undefined;
  readonly all: readonly T[];
}

/**
 * Puts together what has one cause: the causes of the most first, and what is alike in that by the
 * order in which it was given.
 */
export function byCause<T extends { readonly cause?: Cause | undefined }>(
  things: readonly T[],
): readonly OfOneCause<T>[] {
  const groups = new Map<unknown, { cause: Cause | undefined; all: T[] }>();
  for (const thing of things) {
    const key =
      thing.cause === undefined ? thing : JSON.stringify([thing.cause.kind, thing.cause.key]);
    const group = groups.get(key);
    if (group) group.all.push(thing);
    else groups.set(key, { cause: thing.cause, all: [thing] });
  }
  return [...groups.values()].sort((a, b) => b.all.length - a.all.length);
}

/** One line for each cause of several, with how many there are; empty where there is none. */
export const causesText = (
  things: readonly { readonly cause?: Cause | undefined }[],
): readonly string[] =>
  byCause(things).flatMap(({ cause, all }) =>
    cause === undefined || all.length < 2
      ? []
      : [`${String(all.length).padStart(6)}  ${cause.text}`],
  );
