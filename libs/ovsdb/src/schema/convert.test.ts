import { ZOO, ZOO_JSON } from '../../test/zoo';
import { uuid } from '../../test/zoo';
import { Replica } from '../replica/replica';
import { parseSchema } from './schema';

const animals = (columns: object): ReturnType<typeof parseSchema> =>
  parseSchema({ name: 'Zoo', version: '2.0.0', tables: { Animal: { columns } } });

function replica(): Replica {
  const zoo = new Replica(ZOO, { sends: (_table, { ephemeral }) => !ephemeral });
  zoo.applyFileRow('Animal', uuid(1), { name: 'Rex', age: 3, foods: 'hay', keeper: 'ann' }, 'full');
  return zoo;
}

const converted = (columns: object) =>
  replica().converted(animals(columns)).replica.get('Animal', uuid(1));

test('columns that are gone are dropped, new ones have their default, the rest is kept', () => {
  const row = converted({ name: { type: 'string' }, colour: { type: 'string' } });
  expect([...(row?.columns() ?? [])].map(([{ name }, value]) => [name, value])).toEqual([
    ['name', 'Rex'],
    ['colour', ''],
  ]);
});

test('a value goes into a wider type', () => {
  expect(
    converted({ keeper: { type: { key: 'string', min: 0, max: 'unlimited' } } })?.get('keeper'),
  ).toEqual(new Set(['ann']));
  expect(converted({ age: { type: 'real' } })?.get('age')).toBe(3);
});

test('a value that does not fit is refused, not guessed', () => {
  expect(() => converted({ name: { type: 'integer' } })).toThrow(
    expect.objectContaining({
      code: 'schema-mismatch',
      message: expect.stringContaining('Column name'),
    }),
  );
});

test('an ephemeral column that becomes stored begins with its default, one that does not stays unknown', () => {
  expect(converted({ mood: { type: 'string' } })?.has('mood')).toBe(true);
  expect(converted({ mood: { type: 'string', ephemeral: true } })?.has('mood')).toBe(false);
});

test('rows of a table that is gone are reported, and the indexes work on', () => {
  const zoo = replica();
  zoo.applyFileRow('Cage', uuid(2), { row: 'B' }, 'full');
  const { replica: after, gone } = zoo.converted(
    parseSchema({ ...ZOO_JSON, tables: { Animal: ZOO_JSON.tables.Animal } }),
  );
  expect(gone).toEqual([expect.objectContaining({ kind: 'delete', table: 'Cage', uuid: uuid(2) })]);
  expect(after.lookup('Animal', ['name'], ['Rex'])).toHaveLength(1);
});
