/** A time that an object carries, and where. */
export interface ObjectTime {
  readonly at: string;
  readonly what: string;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const NAMED: Readonly<Record<string, string>> = {
  'metadata.creationTimestamp': 'created',
  'metadata.deletionTimestamp': 'its deletion was asked for',
};

/**
 * Every time in what is kept of an object, by the object's own word: a deletion is requested when
 * its grace period begins, though the field says when it ends (Kubernetes API, ObjectMeta).
 */
export function objectTimes(object: unknown, path = ''): readonly ObjectTime[] {
  if (typeof object === 'string')
    return TIME.test(object) && /(?:time|timestamp)$/i.test(path)
      ? [{ at: object, what: NAMED[path] ?? `says ${path}` }]
      : [];
  if (typeof object !== 'object' || object === null) return [];
  return Object.entries(object).flatMap(([key, it]: [string, unknown]) =>
    objectTimes(it, path === '' ? key : `${path}.${key}`),
  );
}
