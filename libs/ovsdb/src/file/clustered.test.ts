import { entry, header } from '../../test/clustered';
import { clustered, scratch } from '../../test/records';
import { uuid, ZOO_JSON } from '../../test/zoo';
import { type DatabaseFile, readDatabaseFile } from './read-database-file';
import { readHistory } from './read-history';

const files = scratch();
afterAll(() => files.remove());

const [A, B] = [uuid(1), uuid(2)] as const;
const read = (...records: object[]): Promise<DatabaseFile> =>
  readDatabaseFile(files.file(clustered(...records)));
const named = (id: string, name: string): object => ({
  Animal: { [id]: { name } },
  _is_diff: true,
});
const names = ({ replica }: DatabaseFile): unknown[] =>
  Array.from(replica.rows('Animal'), (row) => row.get('name'));

test('the snapshot is there, and entries once they are committed', async () => {
  const snapshot = header({
    prev_data: [ZOO_JSON, { ...named(A, 'Rex'), _comment: 'snapshot', _date: 1_700_000_000_000 }],
  });
  const file = await read(
    snapshot,
    { term: 2, vote: 'sid' },
    { term: 2, leader: 'sid' },
    { note: 'transfer' },
    { term: 2, index: 2 },
    entry(3, named(B, 'Max')),
    { commit_index: 3 },
  );
  expect(file).toMatchObject({
    format: 'clustered',
    serverId: 'sid',
    clusterId: 'cid',
    records: 7,
    uncommitted: 0,
    comment: 'snapshot',
    asOf: new Date(1_700_000_000_000),
  });
  expect(names(file)).toEqual(['Rex', 'Max']);
});

test('entries above the last commit index are not the database', async () => {
  const file = await read(header(), entry(2, named(A, 'Rex')), entry(3, named(B, 'Max')), {
    commit_index: 2,
  });
  expect([names(file), file.uncommitted]).toEqual([['Rex'], 1]);
});

test('an uncommitted entry is overwritten by a later one of its index, together with all above it', async () => {
  const file = await read(
    header(),
    entry(2, named(A, 'lost')),
    entry(3, named(B, 'lost too')),
    entry(2, named(A, 'kept'), null, 2),
    { commit_index: 2 },
  );
  expect([names(file), file.uncommitted]).toEqual([['kept'], 0]);
});

test('one commit index may commit many entries, in the order of the log', async () => {
  const file = await read(
    header(),
    entry(2, { Animal: { [A]: { foods: 'hay' } }, _is_diff: true }),
    entry(3, { Animal: { [A]: { foods: 'hay' } }, _is_diff: true }),
    entry(4, { Animal: { [A]: { foods: 'oats' } }, _is_diff: true }),
    { commit_index: 4 },
  );
  expect(file.replica.get('Animal', A)?.get('foods')).toEqual(new Set(['oats']));
});

const NEW_SCHEMA = {
  ...ZOO_JSON,
  version: '2.0.0',
  tables: {
    Animal: {
      ...ZOO_JSON.tables.Animal,
      columns: { ...ZOO_JSON.tables.Animal.columns, colour: { type: 'string' } },
    },
  },
};

test('a conversion with the whole content again', async () => {
  const path = files.file(
    clustered(
      header({ prev_data: [ZOO_JSON, { Animal: { [A]: { name: 'Rex' }, [B]: {} } }] }),
      entry(2, { ...named(A, 'Rex'), _comment: 'converted' }, NEW_SCHEMA),
      { commit_index: 2 },
      entry(3, { Animal: { [A]: { colour: 'red' } }, _is_diff: true }),
      { commit_index: 3 },
    ),
  );
  const file = await readDatabaseFile(path);
  expect([
    file.schema.version,
    file.replica.get('Animal', A)?.get('colour'),
    file.replica.size('Animal'),
  ]).toEqual(['2.0.0', 'red', 1]);
  const history = [];
  for await (const { changes, comment } of readHistory(path))
    history.push([comment, changes.map(({ kind }) => kind)]);
  expect(history).toEqual([
    [undefined, ['insert', 'insert']],
    ['converted', ['delete']],
    [undefined, ['modify']],
  ]);
});

test('a conversion of the schema alone, as OVS 3.2 and later write it', async () => {
  const file = await read(
    header({ prev_data: [ZOO_JSON, { ...named(A, 'Rex'), Cage: { [B]: {} } }] }),
    entry(2, null, NEW_SCHEMA),
    { commit_index: 2 },
  );
  expect([
    file.schema.version,
    names(file),
    file.replica.get('Animal', A)?.get('colour'),
    file.schema.tables.has('Cage'),
  ]).toEqual(['2.0.0', ['Rex'], '', false]);
});

test('a member that has not joined has no schema', async () => {
  await expect(
    read({
      server_id: 'sid',
      name: 'Zoo',
      local_address: 'tcp:1.1.1.1:1',
      remote_addresses: ['tcp:2.2.2.2:2'],
    }),
  ).rejects.toMatchObject({ code: 'no-schema' });
});

test.each([
  ['an entry is missing', [header(), entry(3, {})], 'entry 2 is missing'],
  [
    'a committed entry is overwritten',
    [header(), entry(2, {}), { commit_index: 2 }, entry(2, {})],
    'all up to 2 are committed',
  ],
  [
    'an entry of the snapshot is overwritten',
    [header(), entry(1, {})],
    'all up to 1 are committed',
  ],
  ['more is committed than there is', [header(), entry(2, {}), { commit_index: 3 }], 'ends at 2'],
  [
    'the commit index goes back',
    [header(), entry(2, {}), { commit_index: 2 }, { commit_index: 1 }],
    'committed to 2',
  ],
  [
    'more is committed than was not overwritten',
    [header(), entry(2, {}), entry(3, {}), entry(2, {}, null, 2), { commit_index: 3 }],
    'ends at 2',
  ],
  ['an index is no number', [header(), { ...entry(2, {}), index: '2' }], 'no whole number'],
  ['data has no index', [header(), { term: 1, data: [null, {}] }], 'no index'],
  [
    'the data is no pair',
    [header(), { term: 1, index: 2, data: {} }],
    'not a schema and a transaction',
  ],
  [
    'the data is an empty list',
    [header(), { term: 1, index: 2, data: [] }, { commit_index: 2 }],
    'its data is not a schema and a transaction',
  ],
  [
    'the data is a schema alone',
    [header(), { term: 1, index: 2, data: [ZOO_JSON] }],
    'its data is not a schema and a transaction',
  ],
  [
    'the snapshot is an empty list',
    [header({ prev_data: [] })],
    'its prev_data is not a schema and a transaction',
  ],
  [
    'the data is more than a pair',
    [header(), { term: 1, index: 2, data: [null, {}, {}] }],
    'not a schema and a transaction',
  ],
  [
    'a record has a member nobody knows',
    [header(), { term: 1, index: 2, novelty: true }],
    'novelty',
  ],
  [
    'a transaction has a member nobody knows',
    [header(), entry(2, { _is_delta: true })],
    '_is_delta',
  ],
])('refuses a log in which %s', async (_what, records, why) => {
  const path = files.file(clustered(...records));
  for (const largeFrom of [0, Infinity])
    await expect(readDatabaseFile(path, { largeFrom })).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining(why),
    });
});
