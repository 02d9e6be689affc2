import { ascendingBy } from '@ovn-steward/shared/compare';

/**
 * Reads a value of unknown type: gives it back (or the part we keep), or throws a {@link Mismatch}.
 * A shape has no default: a field of another type than Kubernetes or Kube-OVN declare is an error,
 * because a rule would take the default for a fact.
 */
export type Shape = (value: unknown) => unknown;
export type ShapeFields = Readonly<Record<string, Shape>>;

/**
 * What was expected and where; the path grows while the error is passed up, so that reading a sound
 * object builds no path at all.
 */
export class Mismatch extends Error {
  readonly path: string[] = [];

  constructor(expected: string, found: unknown) {
    super(`expected ${expected}, found ${typeName(found)}`);
  }
}

function typeName(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}

function within(error: unknown, key: string): unknown {
  if (error instanceof Mismatch) error.path.unshift(key);
  return error;
}

export function mapping(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Mismatch('a map', value);
  return value as Record<string, unknown>;
}

export const text: Shape = (value) => {
  if (typeof value !== 'string') throw new Mismatch('a string', value);
  return value;
};

export const flag: Shape = (value) => {
  if (typeof value !== 'boolean') throw new Mismatch('true or false', value);
  return value;
};

export const integer: Shape = (value) => {
  if (!Number.isSafeInteger(value)) throw new Mismatch('an integer', value);
  return value;
};

/**
 * A number that Kube-OVN writes as a JSON number up to v1.15 and possibly as a string from v1.16
 * on; kept as it came. A number beyond 2^53 is only approximate (`parseKubernetesJson` gives such
 * integers as strings).
 */
export const count: Shape = (value) => {
  if (typeof value !== 'number' && !(typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)))
    throw new Mismatch('a number', value);
  return value;
};

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** RFC 3339, as metav1.Time is written. */
export const timestamp: Shape = (value) => {
  if (typeof value !== 'string' || !RFC3339.test(value))
    throw new Mismatch('an RFC 3339 time', value);
  return value;
};

/** A field the rules compare or show but never read inside; kept as it came. */
export const anything: Shape = (value) => value;

export const list =
  (shape: Shape): Shape =>
  (value) => {
    if (!Array.isArray(value)) throw new Mismatch('a list', value);
    let changed: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      try {
        const kept = shape(value[i]);
        if (kept !== value[i]) (changed ??= [...value])[i] = kept;
      } catch (error) {
        throw within(error, String(i));
      }
    }
    return changed ?? value;
  };

export const texts = list(text);

/** A map of strings to strings; kept as it is, whatever its keys are called. */
export const textMap: Shape = (value) => {
  const input = mapping(value);
  for (const key of Object.keys(input)) {
    if (typeof input[key] !== 'string') throw within(new Mismatch('a string', input[key]), key);
  }
  return input;
};

const inOrder = (fields: ShapeFields): [string, Shape][] =>
  Object.entries(fields).sort(ascendingBy(([key]) => key));

/** These and no others, in alphabetical order. */
function hasOnly(input: Readonly<Record<string, unknown>>, count: number): boolean {
  let seen = 0;
  let last = '';
  for (const key in input) {
    if (++seen > count || key < last) return false;
    last = key;
  }
  return seen === count;
}

/**
 * Keeps the named fields, in alphabetical order, and drops the rest, also one whose shape keeps
 * nothing. In Kubernetes null means absent (a Go nil slice or map), so null is dropped too.
 * Required fields that are missing are a mismatch.
 *
 * What has nothing to drop is given back itself: an object that was parsed as a whole has no room
 * for further fields, and one that grew by them has a third more than it needs.
 */
export function record(fields: ShapeFields, required: readonly string[] = []): Shape {
  const entries = inOrder(fields);
  return (value) => {
    const input = mapping(value);
    const kept: Record<string, unknown> = {};
    let count = 0;
    let isSame = true;
    for (const [key, shape] of entries) {
      const field = input[key];
      if (field === undefined || field === null) continue;
      try {
        const part = shape(field);
        if (part !== field) isSame = false;
        if (part === undefined) continue;
        kept[key] = part;
        count += 1;
      } catch (error) {
        throw within(error, key);
      }
    }
    for (const key of required) {
      if (kept[key] === undefined || kept[key] === '')
        throw within(new Mismatch('a value that is not empty', input[key]), key);
    }
    return isSame && hasOnly(input, count) ? input : kept;
  };
}

/**
 * Keeps every field and checks the named ones; those that are null, and those in `without`, are
 * dropped.
 */
export function open(fields: ShapeFields, without: readonly string[] = []): Shape {
  const entries = Object.entries(fields);
  return (value) => {
    const input = mapping(value);
    const changed = new Map<string, unknown>();
    for (const [key, shape] of entries) {
      const field = input[key];
      if (field === undefined) continue;
      try {
        const kept = field === null ? undefined : shape(field);
        if (kept !== field) changed.set(key, kept);
      } catch (error) {
        throw within(error, key);
      }
    }
    for (const key of without) if (Object.hasOwn(input, key)) changed.set(key, undefined);
    if (changed.size === 0) return input;
    const all = Object.entries(input).map(
      ([key, field]) => [key, changed.has(key) ? changed.get(key) : field] as const,
    );
    return Object.fromEntries(all.filter(([, field]) => field !== undefined));
  };
}
