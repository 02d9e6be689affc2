import { record, scratch, standalone } from '../../test/records';
import { uuid, ZOO_JSON } from '../../test/zoo';
import { type DatabaseFile, readDatabaseFile } from './read-database-file';

const files = scratch();
afterAll(() => files.remove());

const A = uuid(1);
const read = (...records: unknown[]): Promise<DatabaseFile> =>
  readDatabaseFile(files.file(standalone(...records)));
const animal = async (...records: unknown[]) =>
  (await read(ZOO_JSON, ...records)).replica.get('Animal', A);

test('a schema alone is an empty database', async () => {
  const file = await read(ZOO_JSON);
  expect([
    file.format,
    file.schema.name,
    file.records,
    file.replica.size('Animal'),
    file.asOf,
  ]).toEqual(['standalone', 'Zoo', 1, 0, undefined]);
});

const BEFORE = {
  Animal: {
    [A]: {
      foods: ['set', ['hay', 'oats']],
      names: [
        'map',
        [
          ['en', 'cat'],
          ['de', 'Katze'],
        ],
      ],
      age: 1,
    },
  },
};
const CHANGE = { Animal: { [A]: { foods: 'hay', names: ['map', [['en', 'cat']]], age: 2 } } };

test('with _is_diff the columns of a modified row are differences', async () => {
  const row = await animal(BEFORE, { _is_diff: true, ...CHANGE });
  expect([row?.get('foods'), row?.get('names'), row?.get('age')]).toEqual([
    new Set(['oats']),
    new Map([['de', 'Katze']]),
    2,
  ]);
});

test.each([
  ['comes last', { ...CHANGE, _is_diff: true }],
  ['is false', { ...CHANGE, _is_diff: false }],
  ['is absent', CHANGE],
])('whether _is_diff %s matters not by its place but by its value', async (_what, change) => {
  const foods = (await animal(BEFORE, change))?.get('foods');
  expect(foods).toEqual(
    '_is_diff' in change && change._is_diff ? new Set(['oats']) : new Set(['hay']),
  );
});

test('null deletes a row, and it may come back', async () => {
  expect(await animal(BEFORE, { Animal: { [A]: null } })).toBeUndefined();
  expect(
    (
      await animal(
        BEFORE,
        { Animal: { [A]: null } },
        { Animal: { [A]: { age: 9 } }, _is_diff: true },
      )
    )?.get('foods'),
  ).toEqual(new Set());
});

test('ephemeral columns are not in a file, and so not known', async () => {
  const row = await animal(BEFORE);
  expect([row?.has('mood'), row?.has('tame')]).toEqual([false, true]);
});

test('dates are milliseconds, and seconds in files of long ago', async () => {
  expect((await read(ZOO_JSON, { _date: 1_300_000_000 })).asOf).toEqual(
    new Date(1_300_000_000_000),
  );
  expect(
    await read(ZOO_JSON, { _date: 1_700_000_000_123, _comment: 'one' }, { Animal: {} }),
  ).toMatchObject({ asOf: new Date(1_700_000_000_123), comment: 'one' });
});

test.each([
  ['its first record is a transaction', 'no-schema', [BEFORE]],
  ['its first record is no object', 'no-schema', [[]]],
  [
    'its schema is not valid',
    'schema-invalid',
    [{ name: 'Zoo', version: '1', tables: { T: { columns: { c: { type: 'text' } } } } }],
  ],
  ['a row is of a table that is not there', 'schema-mismatch', [ZOO_JSON, { Plant: { [A]: {} } }]],
  ['a column is not there', 'schema-mismatch', [ZOO_JSON, { Animal: { [A]: { tail: 1 } } }]],
  ['a value is of another type', 'value-invalid', [ZOO_JSON, { Animal: { [A]: { age: 'old' } } }]],
  ['a row is no uuid', 'value-invalid', [ZOO_JSON, { Animal: { rex: {} } }]],
  ['a row is no object', 'value-invalid', [ZOO_JSON, { Animal: { [A]: 5 } }]],
  ['a row is deleted that is not there', 'corrupt', [ZOO_JSON, { Animal: { [A]: null } }]],
  ['a transaction is no object', 'corrupt', [ZOO_JSON, []]],
  ['a table is no object', 'corrupt', [ZOO_JSON, { Animal: [] }]],
  ['a transaction has a member nobody knows', 'corrupt', [ZOO_JSON, { _is_delta: true }]],
  ['a date is none', 'corrupt', [ZOO_JSON, { _date: 'today' }]],
  ['a date is in no calendar', 'corrupt', [ZOO_JSON, { _date: 9_000_000_000_000_000 }]],
])('refuses a file in which %s, naming the record', async (_what, code, records) => {
  for (const largeFrom of [0, Infinity]) {
    const path = files.file(standalone(...records));
    await expect(readDatabaseFile(path, { largeFrom })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`record ${records.length - 1} at byte`),
    });
  }
});

test('tables and keys may have any name', async () => {
  await expect(read(ZOO_JSON, { constructor: { [A]: {} } })).rejects.toMatchObject({
    code: 'schema-mismatch',
  });
  await expect(
    read(ZOO_JSON, JSON.parse(`{"__proto__":{"${A}":{"age":1}}}`)),
  ).rejects.toMatchObject({ code: 'corrupt' });
  expect(
    (await animal({ Animal: { [A]: { names: ['map', [['__proto__', 'x']]] } } }))?.get('names'),
  ).toEqual(new Map([['__proto__', 'x']]));
});

test('a standalone record does not belong in a cluster member', async () => {
  const bytes = Buffer.concat([record('JSON', ZOO_JSON), record('CLUSTER', { commit_index: 1 })]);
  await expect(readDatabaseFile(files.file(bytes))).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining('Two files were joined'),
  });
});
