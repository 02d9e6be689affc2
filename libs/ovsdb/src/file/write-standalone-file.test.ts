import { mkdirSync, promises, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { recording } from '@ovn-steward/testbed/recordings';
import fc from 'fast-check';
import { scratch } from '../../test/records';
import { stateOf } from '../../test/state';
import { rowOf, storedColumns, uuid, ZOO, ZOO_JSON } from '../../test/zoo';
import { Replica } from '../replica/replica';
import { encode } from '../schema/value';
import { readDatabaseFile } from './read-database-file';
import { writeStandaloneFile } from './write-standalone-file';

const files = scratch();
afterAll(() => files.remove());

const stored = { sends: (_table: string, { ephemeral }: { ephemeral: boolean }) => !ephemeral };

test('a real database comes back as it was, with its time and a comment', async () => {
  const path = files.path('copy.db');
  const { schema, replica } = await readDatabaseFile(recording('shared-neutron', 'nb.db'));
  await writeStandaloneFile(path, schema.json, replica, {
    comment: 'a "copy"\n',
    date: new Date(1_700_000_000_123),
  });
  const copy = await readDatabaseFile(path);
  expect(copy).toMatchObject({
    format: 'standalone',
    records: 2,
    comment: 'a "copy"\n',
    asOf: new Date(1_700_000_000_123),
  });
  expect(copy.schema.json).toEqual(schema.json);
  expect(stateOf(copy.replica)).toEqual(stateOf(replica));
});

test('whatever rows there are come back', async () => {
  const world = fc.uniqueArray(
    fc.tuple(fc.integer({ min: 0, max: 99 }).map(uuid), rowOf('Animal')),
    { maxLength: 6, selector: ([id]) => id },
  );
  await fc.assert(
    fc.asyncProperty(world, async (rows) => {
      const replica = new Replica(ZOO, stored);
      for (const [id, row] of rows)
        replica.applyFileRow(
          'Animal',
          id,
          Object.fromEntries(
            storedColumns('Animal').map((column) => [
              column.name,
              encode(column, row.get(column.name)),
            ]),
          ),
          'full',
        );
      await writeStandaloneFile(files.path('any.db'), ZOO_JSON, replica);
      expect(stateOf((await readDatabaseFile(files.path('any.db'))).replica)).toEqual(
        stateOf(replica),
      );
    }),
    { numRuns: 30 },
  );
});

test('chosen rows of several tables in any order', async () => {
  const replica = new Replica(ZOO, stored);
  for (const id of [1, 2, 3]) replica.applyFileRow('Animal', uuid(id), { age: id }, 'full');
  replica.applyFileRow('Cage', uuid(4), {}, 'full');
  const rows = [
    replica.get('Animal', uuid(3)),
    replica.get('Cage', uuid(4)),
    replica.get('Animal', uuid(1)),
  ].flatMap((row) => (row ? [row] : []));
  await writeStandaloneFile(files.path('some.db'), ZOO_JSON, rows);
  const { replica: read } = await readDatabaseFile(files.path('some.db'));
  expect([Array.from(read.rows('Animal'), (row) => row.get('age')), read.size('Cage')]).toEqual([
    [3, 1],
    1,
  ]);
});

describe('refuses, and leaves the old file alone,', () => {
  const old = (): string => {
    writeFileSync(files.path('old.db'), 'old');
    return files.path('old.db');
  };
  const one = (options = stored): Replica => {
    const replica = new Replica(ZOO, options);
    replica.applyFileRow('Animal', uuid(1), { name: 'Rex' }, 'full');
    return replica;
  };
  const animal = one().get('Animal', uuid(1));

  test.each([
    ['rows whose value is not known', 'value-invalid', ZOO_JSON, one({ sends: () => false })],
    ['a table the schema lacks', 'schema-mismatch', { ...ZOO_JSON, tables: {} }, one()],
    [
      'a column the schema lacks',
      'schema-mismatch',
      { ...ZOO_JSON, tables: { Animal: { columns: {} } } },
      one(),
    ],
    ['a row given twice', 'value-invalid', ZOO_JSON, animal ? [animal, animal] : []],
    ['a schema that is none', 'schema-invalid', {}, one()],
  ])('%s', async (_what, code, schema, rows) => {
    await expect(writeStandaloneFile(old(), schema, rows)).rejects.toMatchObject({ code });
    expect(readFileSync(files.path('old.db'), 'utf8')).toBe('old');
  });

  test('a date that is none', async () => {
    const date = new Date('no time');
    await expect(writeStandaloneFile(old(), ZOO_JSON, one(), { date })).rejects.toMatchObject({
      code: 'value-invalid',
      message: expect.stringContaining('date'),
    });
    expect(readFileSync(files.path('old.db'), 'utf8')).toBe('old');
  });

  test('a path that cannot be written, with nothing left behind', async () => {
    mkdirSync(files.path('dir/old.db'), { recursive: true });
    await expect(
      writeStandaloneFile(files.path('dir/old.db'), ZOO_JSON, one()),
    ).rejects.toMatchObject({ code: 'unwritable' });
    expect(readdirSync(files.path('dir'))).toEqual(['old.db']);
    await expect(
      writeStandaloneFile(files.path('nowhere/new.db'), ZOO_JSON, one()),
    ).rejects.toMatchObject({ code: 'unwritable' });
    await expect(writeStandaloneFile(`${old()}/new.db`, ZOO_JSON, one())).rejects.toMatchObject({
      code: 'unwritable',
    });
  });
});

test('a folder that cannot be flushed leaves the file in place, and it is said so', async () => {
  const path = files.path('unflushed.db');
  const real = promises.open;
  const spy = jest
    .spyOn(promises, 'open')
    .mockImplementation((file, flags, mode) =>
      flags === 'r' ? Promise.reject(new Error('EIO')) : real(file, flags, mode),
    );
  try {
    await expect(writeStandaloneFile(path, ZOO_JSON, [])).rejects.toMatchObject({
      code: 'unflushed',
      message: expect.stringMatching(/is written and in place.*EIO/),
    });
  } finally {
    spy.mockRestore();
  }
  expect((await readDatabaseFile(path)).format).toBe('standalone');
});
