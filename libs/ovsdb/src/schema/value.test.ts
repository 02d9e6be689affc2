import fc from 'fast-check';
import { storedColumns, uuid, valueOf, zooColumn } from '../../test/zoo';
import { parseJson, stringifyJson } from '../wire/parse-json';
import { decode, defaultOf, EMPTY_MAP, EMPTY_SET, encode, equal } from './value';

const U = uuid(1);

test.each([
  ['name', 'x', 'x'],
  ['age', 7, 7],
  ['age', 7n, 7],
  ['age', 2n ** 60n, 2n ** 60n],
  ['weight', 7, 7],
  ['weight', 2n ** 60n, 2 ** 60],
  ['tame', true, true],
  ['name', ['set', ['x']], 'x'],
  ['cage', ['uuid', U], U],
  ['cage', ['set', [['uuid', U]]], U],
  ['cage', ['set', []], undefined],
  ['foods', 'x', new Set(['x'])],
  ['foods', ['set', ['x', 'y']], new Set(['x', 'y'])],
  ['friends', ['uuid', U], new Set([U])],
  ['names', ['map', [['k', 'v']]], new Map([['k', 'v']])],
  ['names', ['map', [['__proto__', 'v']]], new Map([['__proto__', 'v']])],
])('%s given %p is %p', (column, json, value) => {
  expect(decode(zooColumn(column), json)).toEqual(value);
});

test('empty sets and maps are one each, and nobody can change them', () => {
  expect(decode(zooColumn('foods'), ['set', []])).toBe(EMPTY_SET);
  expect(decode(zooColumn('names'), ['map', []])).toBe(EMPTY_MAP);
  expect(() => (EMPTY_SET as Set<string>).add('x')).toThrow(TypeError);
  expect(() => (EMPTY_MAP as Map<string, string>).set('k', 'v')).toThrow(TypeError);
  expect([EMPTY_SET.size, EMPTY_MAP.size]).toEqual([0, 0]);
});

test.each([
  ['name', 5],
  ['name', null],
  ['name', ['set', []]],
  ['name', ['set', ['a', 'b']]],
  ['age', 1.5],
  ['age', '7'],
  ['weight', '7'],
  ['tame', 'true'],
  ['cage', U],
  ['cage', ['uuid', 'not one']],
  ['cage', ['named-uuid', 'row1']],
  ['keeper', ['set', ['a', 'b']]],
  ['foods', ['set', ['a', 'a']]],
  ['foods', ['a']],
  ['names', ['set', []]],
  ['names', ['map', [['k']]]],
  ['names', ['map', [['k', 1]]]],
  [
    'names',
    [
      'map',
      [
        ['k', 'v'],
        ['k', 'w'],
      ],
    ],
  ],
])('%s refuses %p', (column, json) => {
  expect(() => decode(zooColumn(column), json)).toThrow(
    expect.objectContaining({ code: 'value-invalid', message: expect.stringContaining(column) }),
  );
});

test('defaults are those of RFC 7047', () => {
  const defaults = Object.fromEntries(
    storedColumns('Animal').map((column) => [column.name, defaultOf(column)]),
  );
  expect(defaults).toEqual({
    name: '',
    age: 0,
    weight: 0,
    tame: false,
    cage: undefined,
    keeper: undefined,
    foods: new Set(),
    friends: new Set(),
    scores: new Set(),
    legs: new Set([0]),
    names: new Map(),
    visits: new Map(),
    badge: new Map(),
  });
});

test('a set of one is written bare, a map never is', () => {
  expect(encode(zooColumn('friends'), new Set([U]))).toEqual(['uuid', U]);
  expect(encode(zooColumn('keeper'), undefined)).toEqual(['set', []]);
  expect(encode(zooColumn('names'), new Map([['k', 'v']]))).toEqual(['map', [['k', 'v']]]);
});

test.each(storedColumns('Animal'))('whatever $name holds comes back through JSON', (column) => {
  fc.assert(
    fc.property(valueOf(column), (value) =>
      expect(decode(column, parseJson(stringifyJson(encode(column, value))))).toEqual(value),
    ),
  );
});

test('values are equal without regard to order, and different when one part is', () => {
  expect(equal(new Set(['a', 'b']), new Set(['b', 'a']))).toBe(true);
  expect(
    equal(
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
      new Map([
        ['b', 2],
        ['a', 1],
      ]),
    ),
  ).toBe(true);
  expect(equal(new Set(['a']), new Set(['b']))).toBe(false);
  expect(equal(new Map([['a', 1]]), new Map([['a', 2]]))).toBe(false);
  expect(
    equal(
      new Map([['a', 1]]),
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
    ),
  ).toBe(false);
  expect(equal(EMPTY_SET, EMPTY_MAP)).toBe(false);
  expect(equal('1', 1)).toBe(false);
});
