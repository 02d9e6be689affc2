import { parseSchema, type Value } from '@ovn-steward/ovsdb';
import { fitsColumn } from './fits';

const columnOf = (type: unknown) =>
  parseSchema({ name: 'd', version: '1.0.0', tables: { T: { columns: { c: { type } } } } })
    .tables.get('T')!
    .columns.get('c')!;

it.each<[string, unknown, Value, boolean]>([
  ['a word of an enumeration', { key: { type: 'string', enum: ['set', ['a', 'b']] } }, 'a', true],
  ['another word', { key: { type: 'string', enum: ['set', ['a', 'b']] } }, 'c', false],
  [
    'a set of words',
    { key: { type: 'string', enum: ['set', ['a', 'b']] }, min: 0, max: 'unlimited' },
    new Set(['a', 'c']),
    false,
  ],
  ['the one word allowed', { key: { type: 'string', enum: 'a' } }, 'a', true],
  ['a number within', { key: { type: 'integer', minInteger: 1, maxInteger: 9 } }, 9, true],
  ['a number beyond', { key: { type: 'integer', minInteger: 1, maxInteger: 9 } }, 10, false],
  ['a number below', { key: { type: 'integer', minInteger: 1, maxInteger: 9 } }, 0, false],
  ['a real beyond', { key: { type: 'real', maxReal: 0.5 } }, 0.6, false],
  ['a long text', { key: { type: 'string', maxLength: 3 } }, 'four', false],
  ['a short text', { key: { type: 'string', minLength: 3 } }, 'no', false],
  ['letters, not halves of them', { key: { type: 'string', maxLength: 2 } }, '🙂🙂', true],
  [
    'nothing where something must be',
    { key: 'string', min: 1, max: 'unlimited' },
    new Set(),
    false,
  ],
  ['more than may be', { key: 'string', min: 0, max: 2 }, new Set(['a', 'b', 'c']), false],
  ['nothing where nothing may be', { key: 'string', min: 0, max: 1 }, undefined, true],
  [
    'a map’s value beyond',
    { key: 'string', value: { type: 'integer', maxInteger: 1 }, min: 0, max: 'unlimited' },
    new Map([['k', 2]]),
    false,
  ],
  [
    'a map within',
    { key: 'string', value: { type: 'integer', maxInteger: 1 }, min: 0, max: 'unlimited' },
    new Map([['k', 1]]),
    true,
  ],
])('%s', (_, type, value, expected) => {
  expect(fitsColumn(columnOf(type), value)).toBe(expected);
});
