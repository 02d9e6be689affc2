import fc from 'fast-check';
import { differenceJson } from '../../test/difference';
import { storedColumns, valueOf, zooColumn } from '../../test/zoo';
import { applyDifference } from './difference';
import { EMPTY_MAP, EMPTY_SET } from './value';

test.each([
  ['a scalar is replaced', 'age', 1, 2, 2],
  ['an optional is replaced', 'keeper', 'ann', 'bob', 'bob'],
  ['an optional is emptied', 'keeper', 'ann', ['set', []], undefined],
  [
    'a map of at most one pair is replaced',
    'badge',
    new Map([['k', 'v']]),
    ['map', [['l', 'w']]],
    new Map([['l', 'w']]),
  ],
  ['a set gains a bare value', 'foods', new Set(['hay']), 'oats', new Set(['hay', 'oats'])],
  ['a set loses a bare value', 'foods', new Set(['hay', 'oats']), 'oats', new Set(['hay'])],
  ['a set gains and loses', 'foods', new Set(['hay']), ['set', ['hay', 'oats']], new Set(['oats'])],
  [
    'a difference may name more than the column may hold',
    'scores',
    new Set([1, 2, 3]),
    ['set', [1, 2, 3, 4, 5, 6]],
    new Set([4, 5, 6]),
  ],
  [
    'a map gains a key',
    'names',
    new Map([['en', 'cat']]),
    ['map', [['de', 'Katze']]],
    new Map([
      ['en', 'cat'],
      ['de', 'Katze'],
    ]),
  ],
  [
    'a map loses the key whose old value is sent',
    'names',
    new Map([['en', 'cat']]),
    ['map', [['en', 'cat']]],
    EMPTY_MAP,
  ],
  [
    'a map changes the key whose new value is sent',
    'names',
    new Map([['en', 'cat']]),
    ['map', [['en', 'dog']]],
    new Map([['en', 'dog']]),
  ],
])('%s', (_what, column, old, difference, value) => {
  expect(applyDifference(zooColumn(column), old, difference)).toEqual(value);
});

test('what becomes empty is the shared empty value', () => {
  expect(applyDifference(zooColumn('foods'), new Set(['hay']), 'hay')).toBe(EMPTY_SET);
  expect(applyDifference(zooColumn('names'), new Map([['k', 'v']]), ['map', [['k', 'v']]])).toBe(
    EMPTY_MAP,
  );
});

test('the old value is left as it was', () => {
  const old = new Set(['hay']);
  applyDifference(zooColumn('foods'), old, 'oats');
  expect(old).toEqual(new Set(['hay']));
});

test.each(storedColumns('Animal'))(
  'from any value of $name the difference leads to any other',
  (column) => {
    fc.assert(
      fc.property(valueOf(column), valueOf(column), (before, after) =>
        expect(applyDifference(column, before, differenceJson(column, before, after))).toEqual(
          after,
        ),
      ),
    );
  },
);
