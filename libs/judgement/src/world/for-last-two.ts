/**
 * A pure function that caches its results for the last two objects: one change evaluates it for the
 * old and the new entity, once for each relation, tally and rule. Its argument is never changed in
 * place, as entities are not.
 */
export function forLastTwo<T extends object, R>(of: (it: T) => R): (it: T) => R {
  let last: { readonly argument: T; readonly result: R } | undefined;
  let other: typeof last;
  return (argument) => {
    if (last?.argument === argument) return last.result;
    const found = other?.argument === argument ? other : { argument, result: of(argument) };
    other = last;
    last = found;
    return found.result;
  };
}
