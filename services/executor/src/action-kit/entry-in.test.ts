import type { Json } from '@ovn-steward/ovsdb';
import { entryIn } from './entry-in';

const ONE = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';

test.each<[string, Json | undefined, string, Json | null | undefined]>([
  [
    'a map, under a key it has',
    [
      'map',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    'b',
    '2',
  ],
  ['a map, under a key it has with an empty text', ['map', [['a', '']]], 'a', ''],
  ['a map, under a key it has not', ['map', [['a', '1']]], 'b', undefined],
  ['a map, by one of its values', ['map', [['a', '1']]], '1', undefined],
  [
    'a map of uuids to uuids',
    [
      'map',
      [
        [
          ['uuid', ONE],
          ['uuid', OTHER],
        ],
      ],
    ],
    ONE,
    ['uuid', OTHER],
  ],
  ['a map of integers', ['map', [[7, 8]]], '7', 8],
  ['an empty map', ['map', []], 'a', undefined],
  ['a set of texts that has it', ['set', ['a', 'b']], 'b', null],
  ['a set of texts that has it not', ['set', ['a', 'b']], 'c', undefined],
  [
    'a set of uuids that has it',
    [
      'set',
      [
        ['uuid', ONE],
        ['uuid', OTHER],
      ],
    ],
    OTHER,
    null,
  ],
  ['a set of uuids that has it not', ['set', [['uuid', ONE]]], OTHER, undefined],
  ['an empty set', ['set', []], ONE, undefined],
  ['a set of one text, given bare', 'a', 'a', null],
  ['a set of another text, given bare', 'a', 'b', undefined],
  ['a set of one text, given bare, that is a tag', 'map', 'map', null],
  ['a set of one uuid, given bare', ['uuid', ONE], ONE, null],
  ['a set of another uuid, given bare', ['uuid', ONE], OTHER, undefined],
  ['a column that was not read', undefined, 'undefined', undefined],
])('%s', (_, json, key, entry) => expect(entryIn(json, key)).toEqual(entry));
