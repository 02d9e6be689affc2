import { uuid, ZOO } from '../../test/zoo';
import { type RowLayout, rowLayoutOf, Row } from '../schema/row';
import { RowIndex } from './row-index';
import { defaultOf, type Value } from '../schema/value';

const table = ZOO.tables.get('Animal');
if (!table) throw new Error('no animals');
const layout: RowLayout = rowLayoutOf(table, () => true);
const animal = (number: number, cells: Record<string, Value>): Row =>
  new Row(
    layout,
    uuid(number),
    layout.columns.map((column) =>
      Object.hasOwn(cells, column.name) ? cells[column.name] : defaultOf(column),
    ),
  );

test('finds by one column, and nothing once the row is removed', () => {
  const index = new RowIndex(['name'], layout);
  const row = animal(1, { name: 'Rex' });
  index.add(row);
  expect(index.find(['Rex'])).toEqual([row]);
  index.remove(row);
  expect(index.find(['Rex'])).toEqual([]);
});

test('keeps rows of equal values apart', () => {
  const index = new RowIndex(['name'], layout);
  const one = animal(1, { name: 'Rex' });
  const two = animal(2, { name: 'Rex' });
  index.add(one);
  index.add(two);
  expect(index.find(['Rex'])).toEqual([one, two]);
  index.remove(one);
  expect(index.find(['Rex'])).toEqual([two]);
});

test('values of several columns do not run together', () => {
  const index = new RowIndex(['name', 'keeper'], layout);
  const rows = [
    animal(1, { name: 'a","b', keeper: 'c' }),
    animal(2, { name: 'a', keeper: 'b","c' }),
    animal(3, { name: 'a', keeper: undefined }),
    animal(4, { name: 'a', keeper: 'null' }),
  ];
  for (const row of rows) index.add(row);
  for (const row of rows) expect(index.find([row.get('name'), row.get('keeper')])).toEqual([row]);
});

test('sets and maps are found whatever their order', () => {
  const index = new RowIndex(['foods', 'names'], layout);
  const row = animal(1, {
    foods: new Set(['hay', 'oats']),
    names: new Map([
      ['a', '1'],
      ['b', '2'],
    ]),
  });
  index.add(row);
  expect(
    index.find([
      new Set(['oats', 'hay']),
      new Map([
        ['b', '2'],
        ['a', '1'],
      ]),
    ]),
  ).toEqual([row]);
  expect(index.find([new Set(['oats']), new Map()])).toEqual([]);
});
