/** A time that an object carries, and where. */
export interface ObjectTime {
  /** RFC 3339. */
  readonly at: string;
  readonly what: string;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const DELETION = 'metadata.deletionTimestamp';
const NAMED: Readonly<Record<string, string>> = {
  'metadata.creationTimestamp': 'created',
  [DELETION]: 'its deletion was asked for',
};

/**
 * Every time in what is kept of an object, by the object's own word. A deletion is asked for when
 * its grace period begins; the field says when that ends (Kubernetes API, ObjectMeta).
 */
export const objectTimes = (object: unknown): readonly ObjectTime[] =>
  timesIn(object, '').map(({ at, path }) => ({
    at: path === DELETION ? withoutGrace(at, object) : at,
    what: NAMED[path] ?? `says ${path}`,
  }));

function timesIn(value: unknown, path: string): readonly { at: string; path: string }[] {
  if (typeof value === 'string')
    return isTime(value) && /(?:time|timestamp)$/i.test(path) ? [{ at: value, path }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, it]: [string, unknown]) =>
    timesIn(it, path === '' ? key : `${path}.${key}`),
  );
}

/** A moment that no clock shows would have no place in the order of time. */
const isTime = (text: string): boolean => TIME.test(text) && !Number.isNaN(Date.parse(text));

function withoutGrace(deletionTimestamp: string, object: unknown): string {
  const { metadata } = object as { metadata: { deletionGracePeriodSeconds?: unknown } };
  const seconds = metadata.deletionGracePeriodSeconds;
  const begun =
    typeof seconds === 'number' && seconds > 0
      ? new Date(Date.parse(deletionTimestamp) - seconds * 1000)
      : undefined;
  // A grace period beyond what a Date holds says nothing.
  return begun === undefined || Number.isNaN(begun.getTime())
    ? deletionTimestamp
    : begun.toISOString();
}
