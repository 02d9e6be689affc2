import { OvsdbError } from '../wire/errors';
import { parseSchema } from './schema';

const withColumn = (column: unknown): unknown => ({
  name: 'Db',
  version: '1.0.0',
  tables: { T: { columns: { c: column } } },
});
const columnOf = (column: unknown) =>
  parseSchema(withColumn(column)).tables.get('T')?.columns.get('c');

test('a column of an atomic type holds exactly one value', () => {
  expect(columnOf({ type: 'string' })).toEqual({
    name: 'c',
    ephemeral: false,
    mutable: true,
    kind: 'atom',
    key: { type: 'string' },
    min: 1,
    max: 1,
  });
});

test.each([
  [{ key: 'string', min: 0, max: 1 }, 'optional', 0, 1],
  [{ key: 'string', min: 0 }, 'optional', 0, 1],
  [{ key: 'string', min: 0, max: 'unlimited' }, 'set', 0, Infinity],
  [{ key: 'string', min: 1, max: 2 }, 'set', 1, 2],
  [{ key: 'string', value: 'integer', min: 0, max: 'unlimited' }, 'map', 0, Infinity],
  [{ key: 'string', value: 'integer', min: 0 }, 'map', 0, 1],
])('type %j is of kind %s', (type, kind, min, max) => {
  expect(columnOf({ type })).toMatchObject({ kind, min, max });
});

test('a reference without a refType is strong, and one says weak', () => {
  expect(columnOf({ type: { key: { type: 'uuid', refTable: 'T' } } })?.key).toEqual({
    type: 'uuid',
    refTable: 'T',
    refType: 'strong',
  });
  expect(
    columnOf({ type: { key: { type: 'uuid', refTable: 'T', refType: 'weak' } } })?.key.refType,
  ).toBe('weak');
});

test('bounds and enumerations are kept, also an enumeration of one', () => {
  expect(
    columnOf({ type: { key: { type: 'integer', minInteger: 1, maxInteger: 255 } } })?.key,
  ).toEqual({ type: 'integer', minInteger: 1, maxInteger: 255 });
  expect(
    columnOf({ type: { key: { type: 'string', enum: ['set', ['a', 'b']] } } })?.key.enum,
  ).toEqual(['a', 'b']);
  expect(columnOf({ type: { key: { type: 'string', enum: 'a' } } })?.key.enum).toEqual(['a']);
});

test('a table is no root and has no limit unless it says so', () => {
  const { tables } = parseSchema({
    name: 'Db',
    version: '1',
    tables: { A: { columns: {} }, B: { columns: {}, isRoot: true, maxRows: 1 } },
  });
  expect(tables.get('A')).toMatchObject({ isRoot: false, maxRows: Infinity, indexes: [] });
  expect(tables.get('B')).toMatchObject({ isRoot: true, maxRows: 1 });
});

test('members it does not know are left alone, and names of any kind are only names', () => {
  const json = JSON.parse(
    '{"name":"Db","version":"1","cksum":"1 2","novel":[],"tables":{"__proto__":{"novel":1,"columns":{"constructor":{"type":"string","novel":2}}}}}',
  ) as unknown;
  expect(parseSchema(json).tables.get('__proto__')?.columns.get('constructor')?.kind).toBe('atom');
});

test.each([
  [null, 'the top'],
  [{ name: 'Db', version: '1' }, 'tables'],
  [{ version: '1', tables: {} }, '"name"'],
  [{ name: 'Db', version: '1', tables: { T: {} } }, 'table T, columns'],
  [withColumn({ type: 'text' }), 'column c'],
  [withColumn({}), 'column c'],
  [withColumn({ type: { key: 'string', min: 2, max: 3 } }), 'from 2 to 3'],
  [withColumn({ type: { key: 'string', max: -1 } }), '-1'],
  [withColumn({ type: 'string', ephemeral: 'yes' }), '"ephemeral"'],
  [withColumn({ type: { key: { type: 'uuid', refTable: 'T', refType: 'feeble' } } }), '"refType"'],
  [{ name: 'Db', version: '1', tables: { T: { columns: {}, indexes: [['c']] } } }, '"c"'],
])('refuses %j, saying where', (json, where) => {
  expect(() => parseSchema(json)).toThrow(
    expect.objectContaining({ code: 'schema-invalid', message: expect.stringContaining(where) }),
  );
  expect(() => parseSchema(json)).toThrow(OvsdbError);
});
