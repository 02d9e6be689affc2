import { Replica } from './replica';
import { diffReplicas } from './replica-diff';
import { parseSchema } from '../schema/schema';

const A = '00000000-0000-4000-8000-00000000000a';
const B = '00000000-0000-4000-8000-00000000000b';
const C = '00000000-0000-4000-8000-00000000000c';

function replica(tables: Record<string, Record<string, unknown>>, rows: unknown): Replica {
  const schema = {
    name: 'Db',
    version: '1',
    tables: Object.fromEntries(
      Object.entries(tables).map(([name, columns]) => [name, { columns }]),
    ),
  };
  const made = new Replica(parseSchema(schema));
  made.replaceAll(rows);
  return made;
}

test('distinguishes rows by uuid, whatever became of tables and columns', () => {
  const before = replica(
    { T: { n: { type: 'integer' }, gone: { type: 'string' } }, Old: { x: { type: 'string' } } },
    {
      T: { [A]: { initial: { n: 1 } }, [B]: { initial: { n: 2 } } },
      Old: { [C]: { initial: {} } },
    },
  );
  const after = replica(
    {
      T: {
        n: { type: 'integer' },
        born: { type: 'string' },
        empty: { type: { key: 'string', min: 0 } },
      },
      New: { x: { type: 'string' } },
    },
    { T: { [A]: { initial: { n: 3 } } }, New: { [B]: { initial: {} } } },
  );
  const changes = diffReplicas(before, after).map(({ kind, table, uuid, changed }) => [
    kind,
    table,
    uuid,
    Object.fromEntries(changed),
  ]);
  expect(changes).toEqual([
    [
      'modify',
      'T',
      A,
      {
        n: { old: 1, new: 3 },
        gone: { old: '', new: undefined },
        born: { old: undefined, new: '' },
        empty: { old: undefined, new: undefined },
      },
    ],
    ['insert', 'New', B, {}],
    ['delete', 'T', B, {}],
    ['delete', 'Old', C, {}],
  ]);
});

test('says nothing of what is equal', () => {
  const columns = { s: { type: { key: 'string', min: 0, max: 'unlimited' } } };
  const rows = (list: string[]): unknown => ({ T: { [A]: { initial: { s: ['set', list] } } } });
  expect(
    diffReplicas(
      replica({ T: columns }, rows(['x', 'y'])),
      replica({ T: columns }, rows(['y', 'x'])),
    ),
  ).toEqual([]);
});
