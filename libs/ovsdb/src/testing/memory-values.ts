import {
  type Atom,
  type AtomType,
  type BaseType,
  type ColumnSchema,
  equal,
  type Value,
} from '@ovn-steward/ovsdb';

/** What ovsdb-server would answer instead of a result. */
export class OperationError extends Error {
  override readonly name = 'OperationError';

  constructor(
    readonly error: string,
    readonly details: string,
  ) {
    super(`${error}: ${details}`);
  }
}

/** Names that inserts of this transaction gave, or that were used before they were given. */
export type Names = (name: string) => string;

/**
 * The part of a column that decides what may stand in it; conditions and mutations relax the
 * counts.
 */
export interface ValueType {
  readonly key: BaseType;
  readonly value?: BaseType;
  readonly min: number;
  readonly max: number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function readUuid(text: unknown): string {
  if (typeof text === 'string' && UUID.test(text)) return text.toLowerCase();
  throw new OperationError('syntax error', `"${String(text)}" is not a valid UUID`);
}

function readAtom(type: AtomType, json: unknown, names: Names): Atom {
  if (type === 'string' || type === 'boolean') {
    if (typeof json === type) return json as Atom;
  } else if (type === 'uuid') {
    if (Array.isArray(json) && json.length === 2 && json[0] === 'uuid') return readUuid(json[1]);
    if (
      Array.isArray(json) &&
      json.length === 2 &&
      json[0] === 'named-uuid' &&
      typeof json[1] === 'string'
    )
      return names(json[1]);
  } else if (typeof json === 'bigint') {
    return type === 'integer' ? small(json) : Number(json);
  } else if (typeof json === 'number' && (type === 'real' || Number.isSafeInteger(json))) {
    return json;
  }
  throw new OperationError('syntax error', `expected ${type}`);
}

export const small = (integer: bigint): number | bigint =>
  Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;

export function checkAtom(base: BaseType, atom: Atom): Atom {
  const refuse = (what: string): never => {
    throw new OperationError('constraint violation', `${String(atom)} ${what}`);
  };
  if (base.enum !== undefined && !base.enum.includes(atom))
    refuse('is not one of the allowed values');
  const [min, max] =
    base.type === 'integer' ? [base.minInteger, base.maxInteger] : [base.minReal, base.maxReal];
  if ((min !== undefined && Number(atom) < min) || (max !== undefined && Number(atom) > max))
    refuse('is not in the valid range');
  if (base.type === 'string' && (base.minLength !== undefined || base.maxLength !== undefined)) {
    const length = [...String(atom)].length;
    if (length < (base.minLength ?? 0) || length > (base.maxLength ?? Infinity))
      refuse('does not have an allowed length');
  }
  return atom;
}

const tagged = (json: unknown, tag: string): json is [string, unknown[]] =>
  Array.isArray(json) && json.length === 2 && json[0] === tag && Array.isArray(json[1]);

function checkCount({ min, max }: ValueType, count: number): void {
  if (count < min || count > max)
    throw new OperationError(
      'syntax error',
      `must have ${min} to ${max} members but ${count} are present`,
    );
}

const twice = (what: string): OperationError =>
  new OperationError('ovsdb error', `${what} contains duplicate`);

/**
 * A value as ovsdb-server reads it, with its constraints checked.
 * @param many how it is kept: where the type allows one element at most and this is false, as that
 *   element.
 */
export function readValue(
  type: ValueType,
  json: unknown,
  names: Names,
  many = type.max > 1,
): Value {
  const one = (base: BaseType, element: unknown): Atom =>
    checkAtom(base, readAtom(base.type, element, names));
  const { key, value } = type;
  if (value !== undefined) {
    if (!tagged(json, 'map')) throw new OperationError('syntax error', 'expected a map');
    checkCount(type, json[1].length);
    const map = new Map<Atom, Atom>();
    for (const pair of json[1]) {
      if (!Array.isArray(pair) || pair.length !== 2)
        throw new OperationError('syntax error', 'expected 2-element array');
      map.set(one(key, pair[0]), one(value, pair[1]));
    }
    if (map.size !== json[1].length) throw twice('map');
    return map;
  }
  if (!tagged(json, 'set')) {
    const only = one(key, json);
    return many ? new Set([only]) : only;
  }
  checkCount(type, json[1].length);
  if (!many) return json[1].length === 0 ? undefined : one(key, json[1][0]);
  const set = new Set(json[1].map((element) => one(key, element)));
  if (set.size !== json[1].length) throw twice('set');
  return set;
}

/** The elements of a set or the keys of a map, whatever the column keeps it as. */
export function elementsOf(value: Value): Iterable<Atom> {
  if (value === undefined) return [];
  if (value instanceof Set) return value as ReadonlySet<Atom>;
  return value instanceof Map ? (value as ReadonlyMap<Atom, Atom>).keys() : [value as Atom];
}

export const countOf = (value: Value): number =>
  value === undefined ? 0 : value instanceof Set || value instanceof Map ? value.size : 1;

/** Whether the field has the element; of a map, with this value. */
export function hasElement(field: Value, element: Atom, held?: Atom): boolean {
  if (field instanceof Map)
    return (
      field.has(element) &&
      (held === undefined || (field as ReadonlyMap<Atom, Atom>).get(element) === held)
    );
  if (field instanceof Set) return field.has(element);
  return field !== undefined && field === element;
}

/**
 * Every value that a row inserted without it gets must itself be allowed: an enumeration may not
 * have the empty string.
 */
export function checkDefault(column: ColumnSchema, value: Value): void {
  if (countOf(value) !== 1) return;
  if (column.value !== undefined)
    for (const held of (value as ReadonlyMap<Atom, Atom>).values()) checkAtom(column.value, held);
  for (const element of elementsOf(value)) checkAtom(column.key, element);
}

export const sameValues = (one: readonly Value[], other: readonly Value[]): boolean =>
  one.every((value, at) => equal(value, other[at]));
