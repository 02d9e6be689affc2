/** What has an order of its own. */
type Ordered = string | number | bigint | boolean;

/**
 * Compares two values for `sort`: numbers by size, texts by their UTF-16 code units, which is the
 * same order on every machine, and false before true.
 * @returns below 0, 0 or above 0.
 */
export const compareValues = <T extends Ordered>(a: T, b: T): number =>
  Number(a > b) - Number(a < b);

/** Compares two things for `sort` by the value that the function has for each. */
export const ascendingBy =
  <T>(valueOf: (it: T) => Ordered): ((a: T, b: T) => number) =>
  (a, b) =>
    compareValues(valueOf(a), valueOf(b));
