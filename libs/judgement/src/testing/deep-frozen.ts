/**
 * The value, frozen with everything in it: writing to it throws a TypeError. What is frozen already
 * is not walked again.
 */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) deepFrozen(value[key]);
  return value;
}
