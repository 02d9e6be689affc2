import { parseSchema } from '@ovn-steward/ovsdb';
import { referencesOf, referringColumns, uuidsInJson } from './references';

const ONE = '00000000-0000-4000-8000-000000000001';
const TWO = '00000000-0000-4000-8000-000000000002';
const to = (more: object = {}) => ({
  type: { key: { type: 'uuid', refTable: 'B', ...more }, min: 0, max: 'unlimited' },
});
const schema = parseSchema({
  name: 'Db',
  version: '1.0.0',
  tables: {
    A: {
      columns: {
        plain: to(),
        strong: to({ refType: 'strong' }),
        weak: to({ refType: 'weak' }),
        text: { type: 'string' },
      },
    },
    B: { columns: { n: { type: 'integer' } } },
  },
});

test('a reference that does not say how strong it is is strong (RFC 7047 section 3.2)', () => {
  const strengths = [
    ['plain', 'strong'],
    ['strong', 'strong'],
    ['weak', 'weak'],
  ];
  expect(referencesOf(schema, 'A').map((it) => [it.column, it.strength])).toEqual(strengths);
  expect(referringColumns(schema, 'B').map((it) => [it.column, it.strength])).toEqual(strengths);
  expect([referencesOf(schema, 'B'), referringColumns(schema, 'A')]).toEqual([[], []]);
});

test('the uuids of a value are those of one, of a set, or none', () => {
  expect(uuidsInJson(['uuid', ONE])).toEqual([ONE]);
  expect(
    uuidsInJson([
      'set',
      [
        ['uuid', ONE],
        ['uuid', TWO],
      ],
    ]),
  ).toEqual([ONE, TWO]);
  expect([
    uuidsInJson(['set', []]),
    uuidsInJson('x'),
    uuidsInJson(undefined),
    uuidsInJson(['map', []]),
  ]).toEqual([[], [], [], []]);
});
