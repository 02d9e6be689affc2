import { readFileSync } from 'node:fs';
import { recording } from '@ovn-steward/testbed/recordings';
import fc from 'fast-check';
import { entry, header } from '../../test/clustered';
import { clustered, rawRecord, record, scratch, standalone } from '../../test/records';
import { brokenReferences, stateOf } from '../../test/state';
import { uuid, ZOO_JSON } from '../../test/zoo';
import { readDatabaseFile } from './read-database-file';

const files = scratch();
afterAll(() => files.remove());

describe('recordings of real databases', () => {
  test.each([
    [
      'clean',
      'nb.db',
      '7.11.0',
      '2026-11-21T07:38:30.124Z',
      {
        Logical_Switch: 12,
        Logical_Switch_Port: 84,
        Logical_Router: 4,
        Port_Group: 23,
        ACL: 39,
        NAT: 2,
      },
    ],
    [
      'clean',
      'sb.db',
      '20.41.0',
      '2026-11-21T07:38:30.192Z',
      { Chassis: 3, Port_Binding: 99, Logical_Flow: 1241 },
    ],
    [
      'leaky',
      'nb.db',
      '7.11.0',
      '2026-11-21T07:53:57.865Z',
      {
        Logical_Switch: 12,
        Logical_Switch_Port: 92,
        Logical_Router: 4,
        Port_Group: 32,
        ACL: 70,
        NAT: 2,
      },
    ],
    [
      'leaky',
      'sb.db',
      '20.41.0',
      '2026-11-21T07:53:57.933Z',
      { Chassis: 4, Port_Binding: 109, Logical_Flow: 1409 },
    ],
    [
      'shared-neutron',
      'nb.db',
      '7.11.0',
      '2026-11-21T08:12:55.672Z',
      { Logical_Switch: 21, Logical_Switch_Port: 116, DNS: 1, Load_Balancer_Group: 1 },
    ],
    [
      'shared-neutron',
      'sb.db',
      '20.41.0',
      '2026-11-21T08:12:55.742Z',
      { Chassis: 5, Port_Binding: 141, Logical_Flow: 1859 },
    ],
  ] as const)(
    '%s/%s: version, time, rows and references',
    async (name, file, version, asOf, sizes) => {
      const database = await readDatabaseFile(recording(name, file));
      expect(database).toMatchObject({
        format: 'standalone',
        records: 2,
        uncommitted: 0,
        comment: 'produced by "ovsdb-client backup"',
        asOf: new Date(asOf),
      });
      expect(database.schema.version).toBe(version);
      expect(
        Object.fromEntries(
          Object.keys(sizes).map((table) => [table, database.replica.size(table)]),
        ),
      ).toEqual(sizes);
      expect(brokenReferences(database.replica)).toEqual([]);
    },
  );

  test('the server’s own file with its history ends where the backup begins', async () => {
    const [history, backup] = await Promise.all([
      readDatabaseFile(recording('leaky', 'nb-history.db')),
      readDatabaseFile(recording('leaky', 'nb.db')),
    ]);
    expect(history).toMatchObject({ records: 644, asOf: new Date('2026-11-21T07:53:56.567Z') });
    expect(stateOf(history.replica)).toEqual(stateOf(backup.replica));
  });

  test('read value by value they are the same as read whole', async () => {
    for (const file of ['nb.db', 'nb-history.db']) {
      const [small, large] = await Promise.all(
        [Infinity, 0].map((largeFrom) => readDatabaseFile(recording('leaky', file), { largeFrom })),
      );
      expect(stateOf(large!.replica)).toEqual(stateOf(small!.replica));
      expect([large!.asOf, large!.comment]).toEqual([small!.asOf, small!.comment]);
    }
  });

  test('indexes the user asks for are kept', async () => {
    const { replica } = await readDatabaseFile(recording('leaky', 'nb.db'), {
      indexes: { Logical_Switch: [['name']] },
    });
    expect(replica.lookup('Logical_Switch', ['name'], ['ovn-default'])).toHaveLength(1);
  });
});

describe('a damaged copy is an error, never a smaller world', () => {
  const history = readFileSync(recording('leaky', 'nb-history.db'));
  /**
   * Where a record ends. A file that ends there cannot be distinguished from one to which nothing
   * was added.
   */
  const ends = new Set<number>();
  let at = 0;
  while (ends.size < 100) {
    const line = history.indexOf('\n', at);
    at = line + 1 + Number(history.toString('latin1', at, line).split(' ')[2]);
    ends.add(at);
  }
  const whole = history.subarray(0, at);

  test('cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: whole.length - 1 }).filter((end) => !ends.has(end)),
        async (end) => {
          await expect(readDatabaseFile(files.file(whole.subarray(0, end)))).rejects.toMatchObject({
            code: 'truncated',
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  test('one byte changed anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom(0, Infinity),
        async (at, by, largeFrom) => {
          const damaged = Buffer.from(whole);
          damaged[at] = (damaged[at] ?? 0) ^ by;
          const code = expect.stringMatching(/^(hash-mismatch|truncated|corrupt|not-a-database)$/);
          await expect(readDatabaseFile(files.file(damaged), { largeFrom })).rejects.toMatchObject({
            name: 'OvsdbError',
            code,
          });
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a torn tail', () => {
  const [A, B] = [uuid(1), uuid(2)] as const;
  const intact = standalone(ZOO_JSON, { Animal: { [A]: {} } });
  const last = record('JSON', { Animal: { [B]: {} } });
  const read = (bytes: Buffer) => readDatabaseFile(files.file(bytes), { allowTornTail: true });

  test('is passed over where that is asked for, and reported', async () => {
    for (let length = 1; length < last.length; length++) {
      const file = await read(Buffer.concat([intact, last.subarray(0, length)]));
      expect(file).toMatchObject({
        records: 2,
        tornTail: { record: 2, offset: intact.length, bytes: length },
      });
      expect(file.replica.size('Animal')).toBe(1);
    }
    expect(await read(Buffer.concat([intact, last]))).not.toHaveProperty('tornTail');
  });

  test('may also be of the right length and the wrong bytes', async () => {
    const zeroed = Buffer.from(last).fill(0, last.length - 4);
    expect(await read(Buffer.concat([intact, zeroed]))).toMatchObject({ tornTail: { record: 2 } });
    await expect(read(Buffer.concat([intact, zeroed, last]))).rejects.toMatchObject({
      code: 'hash-mismatch',
    });
  });

  test('is an error where it is all the content there is', async () => {
    await expect(read(intact.subarray(0, -1))).rejects.toMatchObject({ code: 'truncated' });
    await expect(read(clustered(header()).subarray(0, -1))).rejects.toMatchObject({
      code: 'truncated',
    });
  });

  test('of a cluster member may hide what was committed, not what the snapshot holds', async () => {
    const file = await read(
      clustered(
        header({ prev_data: [ZOO_JSON, { Animal: { [A]: {} } }] }),
        entry(2, { Animal: { [B]: {} } }),
        { commit_index: 2 },
      ).subarray(0, -1),
    );
    expect(file).toMatchObject({ uncommitted: 1, tornTail: { record: 2 } });
    expect(file.replica.size('Animal')).toBe(1);
  });
});

test('a record that is intact but not JSON, or not UTF-8, is corrupt', async () => {
  for (const body of ['{"Animal":{}\n', Buffer.from('{"_comment":"\xff"}\n', 'latin1')])
    for (const largeFrom of [0, Infinity]) {
      const bytes = Buffer.concat([standalone(ZOO_JSON), rawRecord('JSON', body)]);
      await expect(readDatabaseFile(files.file(bytes), { largeFrom })).rejects.toMatchObject({
        code: 'corrupt',
        message: expect.stringContaining('record 1'),
      });
    }
});

test('stops when asked to', async () => {
  await expect(
    readDatabaseFile(recording('leaky', 'nb.db'), {
      signal: AbortSignal.abort(new Error('enough')),
    }),
  ).rejects.toThrow('enough');
});
