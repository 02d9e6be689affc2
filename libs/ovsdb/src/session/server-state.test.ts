import { answer, startScriptedServer, type ScriptedServer } from '../../test/scripted-server';
import { connect } from '../wire/connection';
import { JsonRpc } from '../wire/rpc';
import {
  recordIndex,
  reasonAgainst,
  type SeenIndexes,
  type ServerState,
  watchServer,
} from './server-state';

const clustered: ServerState = {
  model: 'clustered',
  hasSchema: true,
  connected: true,
  leader: true,
  cid: 'c1',
  index: 10,
};
const follower: ServerState = { ...clustered, leader: false };
const relay: ServerState = { ...follower, model: 'relay', cid: undefined, index: undefined };
const standalone: ServerState = {
  model: 'standalone',
  hasSchema: true,
  connected: true,
  leader: true,
  cid: undefined,
  index: undefined,
};
const nothing: SeenIndexes = new Map();

test.each<[string, ServerState, boolean]>([
  ['the leader', clustered, true],
  ['a follower where the leader is not asked for', follower, false],
  ['a connected relay where the leader is not asked for', relay, false],
  ['a standalone server', standalone, true],
])('%s may be used', (_, state, leaderOnly) => {
  expect(reasonAgainst(state, leaderOnly, nothing)).toBeUndefined();
});

test.each<[string, ServerState, boolean]>([
  ['a follower where the leader is asked for', follower, true],
  ['a member without majority', { ...clustered, connected: false }, false],
  ['a relay where the leader is asked for', relay, true],
  ['a relay without source', { ...relay, connected: false }, false],
  ['a server without schema', { ...clustered, hasSchema: false }, false],
  ['a standalone server without schema', { ...standalone, hasSchema: false }, false],
])('%s may not', (_, state, leaderOnly) => {
  expect(reasonAgainst(state, leaderOnly, nothing)).toEqual(expect.any(String));
});

test('a member behind what was seen of the same cluster may not be used, one of another cluster may', () => {
  const seen: SeenIndexes = new Map();
  recordIndex(clustered, seen);
  recordIndex({ ...clustered, index: 7 }, seen);
  expect(seen.get('c1')).toBe(10);
  expect(reasonAgainst({ ...clustered, index: 9 }, true, seen)).toContain('behind');
  expect(reasonAgainst({ ...clustered, index: 10 }, true, seen)).toBeUndefined();
  expect(reasonAgainst({ ...clustered, index: 9, cid: 'c2' }, true, seen)).toBeUndefined();
});

describe('what a server says of its database', () => {
  const U = '00000000-0000-4000-8000-00000000000a';
  const row = {
    name: 'Db',
    model: 'clustered',
    connected: true,
    leader: true,
    schema: '{}',
    cid: ['uuid', 'c1'],
    index: 5,
  };
  let server: ScriptedServer;
  let rpc: JsonRpc;
  afterEach(async () => {
    rpc.close();
    await server.stop();
  });

  async function watched(
    ...updates: unknown[]
  ): Promise<{ first: ServerState | undefined; reported: [ServerState | undefined, boolean][] }> {
    server = await startScriptedServer({
      message: (heard, socket) => {
        if (heard.method === 'get_schema')
          return answer(socket, heard, {
            tables: {
              Database: { columns: Object.fromEntries(Object.keys(row).map((name) => [name, {}])) },
            },
          });
        const reply = {
          id: heard.id,
          result: {
            Database: {
              [U]: { initial: row },
              other: { initial: { ...row, name: 'Other', leader: false } },
            },
          },
          error: null,
        };
        // One packet: the updates are heard before the reply has been awaited.
        socket.write(
          [
            reply,
            ...updates.map((Database) => ({
              method: 'update2',
              params: ['_Server', { Database }],
              id: null,
            })),
          ]
            .map((each) => JSON.stringify(each))
            .join(''),
        );
      },
    });
    rpc = new JsonRpc(await connect(server.remote), server.remote, { probeMs: 0 });
    const reported: [ServerState | undefined, boolean][] = [];
    const first = await watchServer(
      rpc,
      'Db',
      (state, converted) => void reported.push([state, converted]),
    );
    return { first, reported };
  }

  test('is its state, and updates in the same packet come after it', async () => {
    const { first, reported } = await watched(
      { [U]: { modify: { leader: false, index: 6 } } },
      { other: { modify: { index: 9 } } },
    );
    expect(reported).toEqual([
      [{ ...clustered, leader: false, index: 6 }, false],
      [{ ...clustered, leader: false, index: 6 }, false],
    ]);
    expect(first).toEqual({ ...clustered, leader: false, index: 6 });
  });

  test('distinguishes a conversion from a first schema, and a database that is gone', async () => {
    const { reported } = await watched(
      { [U]: { modify: { schema: '{"v":2}' } } },
      { [U]: { modify: { schema: ['set', []] } } },
      { [U]: { modify: { schema: '{}' } } },
      { [U]: { delete: null } },
    );
    expect(reported.map(([state, converted]) => [state?.hasSchema, converted])).toEqual([
      [true, true],
      [false, true],
      [true, false],
      [undefined, false],
    ]);
  });
});
