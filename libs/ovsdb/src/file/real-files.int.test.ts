import { readFileSync } from 'node:fs';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { type OvnRaft, startOvnRaft } from '@ovn-steward/testbed/ovn-raft';
import { recording } from '@ovn-steward/testbed/recordings';
import fc from 'fast-check';
import { scratch } from '../../test/records';
import { stateOf } from '../../test/state';
import { storedColumns, uuid, valueOf, zooColumn, ZOO_JSON } from '../../test/zoo';
import { parseJson, stringifyJson } from '../wire/parse-json';
import { type ColumnSchema } from '../schema/schema';
import { decode, encode, type Value } from '../schema/value';
import { type DatabaseFile, readDatabaseFile } from './read-database-file';
import { readHistory } from './read-history';
import { writeStandaloneFile } from './write-standalone-file';

const files = scratch();
afterAll(() => files.remove());

describeWith(ovn, 'a file we write', () => {
  let server: OvnServer;
  afterEach(() => server.stop());

  test('is one the real server starts from, and what it backs up is what we wrote', async () => {
    const { schema, replica } = await readDatabaseFile(recording('shared-neutron', 'nb.db'));
    await writeStandaloneFile(files.path('written.db'), schema.json, replica, {
      comment: 'written by a test',
    });
    server = await startOvnStandalone({ database: files.path('written.db') });
    expect((await server.nbctl('ls-list')).trim().split('\n')).toHaveLength(
      replica.size('Logical_Switch'),
    );
    const backup = files.file(
      Buffer.from(await server.client('backup', 'OVN_Northbound')),
      'backup.db',
    );
    expect(stateOf((await readDatabaseFile(backup)).replica)).toEqual(stateOf(replica));
  });
});

/** What the server itself says its rows are: uuid → column → value. */
async function requested(server: OvnServer): Promise<Map<string, Map<string, Value>>> {
  const columns = storedColumns('Animal');
  const names = ['_uuid', ...columns.map(({ name }) => name)];
  const reply = parseJson(
    await server.client(
      'transact',
      JSON.stringify(['Zoo', { op: 'select', table: 'Animal', where: [], columns: names }]),
    ),
  );
  const [{ rows }] = reply as [{ rows: Record<string, unknown>[] }];
  return new Map(
    rows.map((row) => [
      (row['_uuid'] as [string, string])[1],
      new Map(columns.map((column) => [column.name, decode(column, row[column.name])])),
    ]),
  );
}

const held = ({ replica }: DatabaseFile): Map<string, Map<string, Value>> =>
  new Map(
    Array.from(replica.rows('Animal'), (row) => [
      row.uuid,
      new Map(storedColumns('Animal').map(({ name }) => [name, row.get(name)])),
    ]),
  );

describeWith(ovn, 'whatever a real server writes', () => {
  let server: OvnServer;
  beforeAll(async () => {
    await writeStandaloneFile(
      files.path('zoo.db'),
      {
        ...ZOO_JSON,
        tables: { ...ZOO_JSON.tables, Animal: { ...ZOO_JSON.tables.Animal, indexes: [] } },
      },
      [],
    );
    server = await startOvnStandalone({ database: files.path('zoo.db') });
  });
  afterAll(() => server.stop());

  /**
   * References would be dropped where they lead nowhere; a NUL in a text and a real number next to
   * the least there is are refused.
   */
  const plain = storedColumns('Animal').filter(({ name }) => name !== 'cage' && name !== 'friends');
  const storable = (value: Value): boolean =>
    !/\\u0000|e[-+]?3\d\d/.test(stringifyJson(encode(zooColumn('foods'), value)));
  const cell = (column: ColumnSchema) =>
    valueOf(column)
      .filter(storable)
      .map((value): [string, unknown] => [column.name, encode(column, value)]);
  const row = fc
    .subarray(plain, { minLength: 1 })
    .chain((columns) => fc.tuple(...columns.map(cell)))
    .map((cells) => Object.fromEntries(cells));
  const step = fc.record({
    id: fc.integer({ min: 0, max: 3 }).map(uuid),
    remove: fc.boolean(),
    row,
  });

  test('to its file, we read as it answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const { id, remove, row: columns } of steps) {
          const where = [['_uuid', '==', ['uuid', id]]];
          const there = (await requested(server)).has(id);
          const operation = !there
            ? { op: 'insert', table: 'Animal', uuid: id, row: columns }
            : remove
              ? { op: 'delete', table: 'Animal', where }
              : { op: 'update', table: 'Animal', where, row: columns };
          expect(
            await server.client(
              'transact',
              stringifyJson(['Zoo', operation, { op: 'comment', comment: `on ${id}` }]),
            ),
          ).not.toContain('error');
        }
        const answered = await requested(server);
        for (const largeFrom of [0, Infinity])
          expect(held(await readDatabaseFile(server.file, { largeFrom }))).toEqual(answered);
      }),
      { numRuns: 8 },
    );
    const comments = [];
    for await (const { comment } of readHistory(server.file)) comments.push(comment);
    expect(comments.slice(1).every((comment) => comment?.includes('on 00000000-'))).toBe(true);
    await server.appctl('ovsdb-server/compact', 'Zoo');
    expect(held(await readDatabaseFile(server.file))).toEqual(await requested(server));
  });
});

describeWith(ovn, 'the file of a cluster’s member', () => {
  let cluster: OvnRaft;
  beforeAll(async () => {
    cluster = await startOvnRaft({ database: recording('leaky', 'nb.db') });
  });
  afterAll(() => cluster.stop());

  /**
   * The switches, which every member must have in the end. A follower hears of the last commit with
   * the next message.
   */
  const switches = async (file: string): Promise<unknown[]> =>
    Array.from(
      (await readDatabaseFile(file, { allowTornTail: true })).replica.rows('Logical_Switch'),
      (row) => row.get('name'),
    ).sort();

  async function expectSwitches(names: unknown[]): Promise<void> {
    for (const { file } of cluster.members)
      for (let tries = 0; ; tries++) {
        const found = await switches(file);
        if (JSON.stringify(found) === JSON.stringify(names) || tries === 50) {
          expect(found).toEqual(names);
          break;
        }
        await new Promise((go) => setTimeout(go, 100));
      }
  }

  test('holds the snapshot, then each committed transaction, also after its log was compacted', async () => {
    const { replica } = await readDatabaseFile(recording('leaky', 'nb.db'));
    const before = Array.from(replica.rows('Logical_Switch'), (row) => row.get('name'));
    await expectSwitches([...before].sort());
    for (const name of ['one', 'two', 'three']) await cluster.nbctl('ls-add', name);
    await cluster.nbctl('ls-del', 'two');
    await expectSwitches([...before, 'one', 'three'].sort());
    const leader = await cluster.leader();
    const history = [];
    for await (const { comment } of readHistory(leader.file)) history.push(comment);
    expect(history.slice(-4).map((comment) => comment?.replace(/.* (ls-\w+)/, '$1'))).toEqual([
      'ls-add one',
      'ls-add two',
      'ls-add three',
      'ls-del two',
    ]);
    for (const member of cluster.members)
      await member.appctl('ovsdb-server/compact', 'OVN_Northbound');
    await cluster.nbctl('ls-add', 'four');
    await expectSwitches([...before, 'one', 'three', 'four'].sort());
    const ids = await Promise.all(cluster.members.map(({ file }) => readDatabaseFile(file)));
    expect(new Set(ids.map(({ clusterId }) => clusterId)).size).toBe(1);
    expect(new Set(ids.map(({ serverId }) => serverId)).size).toBe(3);
    expect(readFileSync(leader.file, 'latin1')).toContain('OVSDB CLUSTER');
  });
});
