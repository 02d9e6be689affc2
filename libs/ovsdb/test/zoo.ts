import fc from 'fast-check';
import { type ColumnSchema, type DatabaseSchema, parseSchema } from '../src/schema/schema';
import { type Atom, EMPTY_MAP, EMPTY_SET, type Value } from '../src/schema/value';

const many = (key: unknown, more: object = {}): object => ({
  key,
  min: 0,
  max: 'unlimited',
  ...more,
});

/** A schema with a column of every kind there is. */
export const ZOO_JSON = {
  name: 'Zoo',
  version: '1.0.0',
  tables: {
    Animal: {
      isRoot: true,
      indexes: [['name']],
      columns: {
        name: { type: 'string' },
        age: { type: 'integer' },
        weight: { type: 'real' },
        tame: { type: 'boolean' },
        cage: { type: { key: { type: 'uuid', refTable: 'Cage', refType: 'weak' }, min: 0 } },
        keeper: { type: { key: 'string', min: 0, max: 1 } },
        foods: { type: many('string') },
        friends: { type: many({ type: 'uuid', refTable: 'Animal', refType: 'weak' }) },
        scores: { type: { key: 'integer', min: 0, max: 3 } },
        legs: { type: { key: 'integer', min: 1, max: 4 } },
        names: { type: many('string', { value: 'string' }) },
        visits: { type: many('integer', { value: 'real' }) },
        badge: { type: { key: 'string', value: 'string', min: 0, max: 1 } },
        mood: { type: 'string', ephemeral: true },
      },
    },
    Cage: {
      isRoot: true,
      indexes: [['row', 'number']],
      columns: { row: { type: 'string' }, number: { type: 'integer' } },
    },
  },
};

export const ZOO: DatabaseSchema = parseSchema(ZOO_JSON);

/** @throws when the zoo has no such column: a mistake in a test. */
export function zooColumn(name: string, table = 'Animal'): ColumnSchema {
  const column = ZOO.tables.get(table)?.columns.get(name);
  if (!column) throw new Error(`the zoo has no column ${table}.${name}`);
  return column;
}

/** A uuid that ends in a number, for tests that name their rows. */
export const uuid = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const KEYS = ['a', 'b', 'c', 'vendor', '__proto__', 'constructor', '', 'ключ\n"\\'];
const ATOMS: Record<ColumnSchema['key']['type'], fc.Arbitrary<Atom>> = {
  string: fc.oneof(fc.constantFrom(...KEYS), fc.string()),
  integer: fc.oneof(
    fc.integer({ min: 0, max: 9 }),
    fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, Number.MAX_SAFE_INTEGER),
  ),
  // The zero is the one real number with two forms; OVSDB has no use for the second.
  real: fc.double({ noNaN: true, noDefaultInfinity: true }).map((real) => real + 0),
  boolean: fc.boolean(),
  uuid: fc.integer({ min: 0, max: 20 }).map(uuid),
};

/** Any value a column may hold. */
export function valueOf(column: ColumnSchema): fc.Arbitrary<Value> {
  const key = ATOMS[column.key.type];
  const size = { minLength: column.min, maxLength: Math.min(column.max, 8) };
  if (column.value) {
    const pairs = fc.uniqueArray(fc.tuple(key, ATOMS[column.value.type]), {
      ...size,
      selector: ([name]) => name,
    });
    return pairs.map((list) => (list.length === 0 ? EMPTY_MAP : new Map(list)));
  }
  if (column.kind === 'set')
    return fc.uniqueArray(key, size).map((list) => (list.length === 0 ? EMPTY_SET : new Set(list)));
  return column.kind === 'optional' ? fc.option(key, { nil: undefined }) : key;
}

/** The columns a database file stores of a table of the zoo. */
export const storedColumns = (table: string): ColumnSchema[] =>
  [...(ZOO.tables.get(table)?.columns.values() ?? [])].filter(({ ephemeral }) => !ephemeral);

/** The stored columns of a row, each with some value. */
export const rowOf = (table: string): fc.Arbitrary<Map<string, Value>> =>
  fc
    .tuple(
      ...storedColumns(table).map((column) =>
        valueOf(column).map((value) => [column.name, value] as const),
      ),
    )
    .map((cells) => new Map(cells));
