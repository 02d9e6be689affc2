import { OvsdbError } from '../wire/errors';
import type { AtomType, BaseType, ColumnSchema } from './schema';

/**
 * One value. A uuid is its text; an integer beyond ±2^53 is a bigint, every other number is a
 * number.
 */
export type Atom = string | number | bigint | boolean;

/**
 * What a column of a row holds: an atom, nothing (an empty optional), a set, or a map. Sets and
 * maps have no order.
 */
export type Value = Atom | undefined | ReadonlySet<Atom> | ReadonlyMap<Atom, Atom>;

const refuse = (): never => {
  throw new TypeError('An empty set or map is shared by all rows and cannot be changed.');
};

/**
 * Shared by every empty set of every row: most sets are empty, and a row must cost little. Frozen,
 * as all shared values are.
 */
export const EMPTY_SET: ReadonlySet<Atom> = Object.freeze(
  Object.assign(new Set<Atom>(), { add: refuse }),
);
export const EMPTY_MAP: ReadonlyMap<Atom, Atom> = Object.freeze(
  Object.assign(new Map<Atom, Atom>(), { set: refuse }),
);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const DEFAULTS: Record<AtomType, Atom> = {
  integer: 0,
  real: 0,
  boolean: false,
  string: '',
  uuid: NIL_UUID,
};

/** True for the text form of a UUID as OVSDB writes it: lower case, with dashes. */
export const isUuid = (text: unknown): text is string =>
  typeof text === 'string' && UUID.test(text);

const shown = (json: unknown): string =>
  (
    JSON.stringify(json, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    ) ?? 'nothing'
  ).slice(0, 120);

const invalid = (column: ColumnSchema, json: unknown, expected: string): OvsdbError =>
  new OvsdbError(
    'value-invalid',
    `Column ${column.name} was given ${shown(json)}, expected ${expected}. The sender follows another schema, or is not an OVSDB server.`,
  );

const small = (integer: bigint): number | bigint =>
  Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;

function atom(column: ColumnSchema, type: AtomType, json: unknown): Atom {
  switch (type) {
    case 'string':
    case 'boolean':
      if (typeof json === type) return json as Atom;
      break;
    case 'uuid':
      if (Array.isArray(json) && json.length === 2 && json[0] === 'uuid' && isUuid(json[1]))
        return json[1];
      break;
    case 'integer':
      if (Number.isSafeInteger(json)) return json as number;
      if (typeof json === 'bigint') return small(json);
      break;
    case 'real':
      if (typeof json === 'number') return json;
      if (typeof json === 'bigint') return Number(json);
  }
  throw invalid(column, json, `a ${type}`);
}

const tagged = (json: unknown, tag: 'set' | 'map'): json is [string, unknown[]] =>
  Array.isArray(json) && json.length === 2 && json[0] === tag && Array.isArray(json[1]);

/** The elements of a set: a bare value is a set of one (RFC 7047 section 5.1, <set>). */
function elements(column: ColumnSchema, json: unknown): Atom[] {
  return tagged(json, 'set')
    ? json[1].map((element) => atom(column, column.key.type, element))
    : [atom(column, column.key.type, json)];
}

/**
 * A set of any size, as differences need it. Empty ones are {@link EMPTY_SET}. Refuses one element
 * given twice.
 */
function decodeSet(column: ColumnSchema, json: unknown): ReadonlySet<Atom> {
  const list = elements(column, json);
  if (list.length === 0) return EMPTY_SET;
  const set = new Set(list);
  if (set.size !== list.length) throw invalid(column, json, 'a set without duplicates');
  return set;
}

/** A map of any size. Empty ones are {@link EMPTY_MAP}. Refuses one key given twice. */
function decodeMap(column: ColumnSchema, value: BaseType, json: unknown): ReadonlyMap<Atom, Atom> {
  if (!tagged(json, 'map')) throw invalid(column, json, 'a map');
  if (json[1].length === 0) return EMPTY_MAP;
  const map = new Map<Atom, Atom>();
  for (const pair of json[1]) {
    if (!Array.isArray(pair) || pair.length !== 2)
      throw invalid(column, json, 'pairs of key and value');
    map.set(atom(column, column.key.type, pair[0]), atom(column, value.type, pair[1]));
  }
  if (map.size !== json[1].length) throw invalid(column, json, 'a map without duplicate keys');
  return map;
}

function decodeOne(column: ColumnSchema, json: unknown): Atom | undefined {
  const list = elements(column, json);
  if (list.length > 1 || list.length < column.min)
    throw invalid(column, json, column.min === 1 ? 'exactly one value' : 'at most one value');
  return list[0];
}

/**
 * The value of a column from its JSON (RFC 7047 section 5.1): a bare scalar and a set of one are
 * the same, an empty optional is `undefined`. Ranges and enumerations are the server's to check and
 * are not checked.
 *
 * @throws OvsdbError `value-invalid` for a value of another type or shape.
 */
export function decode(column: ColumnSchema, json: unknown): Value {
  if (column.value) return decodeMap(column, column.value, json);
  return column.kind === 'set' ? decodeSet(column, json) : decodeOne(column, json);
}

/**
 * What a column holds in a row inserted without it (RFC 7047 section 5.2.1): 0, false, "", the nil
 * uuid, or empty.
 */
export function defaultOf(column: ColumnSchema): Value {
  const key = DEFAULTS[column.key.type];
  if (column.value)
    return column.min === 0 ? EMPTY_MAP : new Map([[key, DEFAULTS[column.value.type]]]);
  if (column.kind === 'set') return column.min === 0 ? EMPTY_SET : Object.freeze(new Set([key]));
  return column.kind === 'optional' ? undefined : key;
}

const atomJson = (type: AtomType, value: Atom): unknown =>
  type === 'uuid' ? ['uuid', value] : value;

/**
 * The JSON of a value: a bare scalar where there is one element, otherwise a `["set", …]`; maps
 * always `["map", …]`.
 */
export function encode(column: ColumnSchema, value: Value): unknown {
  const { type } = column.key;
  if (value === undefined) return ['set', []];
  if (value instanceof Map) {
    const valueType = (column.value ?? column.key).type;
    return [
      'map',
      Array.from(value as ReadonlyMap<Atom, Atom>, ([key, held]) => [
        atomJson(type, key),
        atomJson(valueType, held),
      ]),
    ];
  }
  if (value instanceof Set) {
    const list = Array.from(value as ReadonlySet<Atom>, (element) => atomJson(type, element));
    return list.length === 1 ? list[0] : ['set', list];
  }
  return atomJson(type, value as Atom);
}

function sameElements(one: ReadonlySet<Atom>, other: ReadonlySet<Atom>): boolean {
  if (one.size !== other.size) return false;
  for (const element of one) if (!other.has(element)) return false;
  return true;
}

function samePairs(one: ReadonlyMap<Atom, Atom>, other: ReadonlyMap<Atom, Atom>): boolean {
  if (one.size !== other.size) return false;
  for (const [key, held] of one) if (other.get(key) !== held) return false;
  return true;
}

/** Equal as OVSDB compares: sets and maps without regard to order. */
export function equal(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (one instanceof Set && other instanceof Set) return sameElements(one, other);
  return one instanceof Map && other instanceof Map && samePairs(one, other);
}
