import { uuidsIn } from './uuids-in';
import type { Value } from './value';

const ONE = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';

test.each<[string, Value, readonly string[]]>([
  ['one', ONE, [ONE]],
  ['none', undefined, []],
  ['a set', new Set([ONE, OTHER]), [ONE, OTHER]],
  ['an empty set', new Set(), []],
  [
    'a map to uuids, of which two are one',
    new Map([
      ['a', ONE],
      ['b', OTHER],
      ['c', ONE],
    ]),
    [ONE, OTHER],
  ],
  [
    'a map from uuids',
    new Map([
      [ONE, 'a'],
      [OTHER, 'b'],
    ]),
    [ONE, OTHER],
  ],
  ['a map of both', new Map([[ONE, OTHER]]), [ONE, OTHER]],
  ['an empty map', new Map(), []],
])('%s', (_, value, uuids) => expect(uuidsIn(value)).toEqual(uuids));
