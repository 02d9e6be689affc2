import { uuid, ZOO } from '../../test/zoo';
import { ABSENT, rowLayoutOf, Row } from './row';

const table = ZOO.tables.get('Cage');
if (!table) throw new Error('no cages');
const layout = rowLayoutOf(table, ({ name }) => name !== 'number');

test('a column the sender does not send begins as unknown, the others with their default', () => {
  expect(layout.blank).toEqual(['', ABSENT]);
});

test('distinguishes a value that is not known from one that is', () => {
  const row = new Row(layout, uuid(1), ['B', ABSENT]);
  expect([row.table, row.uuid]).toEqual(['Cage', uuid(1)]);
  expect([row.get('row'), row.has('row')]).toEqual(['B', true]);
  expect([row.get('number'), row.has('number')]).toEqual([undefined, false]);
  expect([row.get('constructor'), row.has('constructor')]).toEqual([undefined, false]);
  expect([...row.columns()].map(([{ name }, value]) => [name, value])).toEqual([['row', 'B']]);
});
