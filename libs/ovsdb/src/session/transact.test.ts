import {
  answer,
  type Heard,
  startScriptedServer,
  type ScriptedServer,
} from '../../test/scripted-server';
import { connect } from '../wire/connection';
import {
  abort,
  byUuid,
  comment,
  insert,
  mutate,
  type Operation,
  remove,
  select,
  update,
  wait,
} from './operation';
import { JsonRpc } from '../wire/rpc';
import { refuseEveryRow, transact, type TransactResult } from './transact';

let server: ScriptedServer;
let rpc: JsonRpc;

afterEach(async () => {
  rpc.close();
  await server.stop();
});

async function answering(
  message: (heard: Heard, socket: Parameters<typeof answer>[0]) => void,
): Promise<void> {
  server = await startScriptedServer({ message });
  rpc = new JsonRpc(await connect(server.remote), server.remote, { probeMs: 0 });
}

async function outcome(operations: Operation[], result: unknown): Promise<TransactResult> {
  await answering((heard, socket) => answer(socket, heard, result));
  return transact(rpc, 'db', operations);
}

const U = '00000000-0000-4000-8000-000000000001';
const where = byUuid(U);
const unknown = expect.objectContaining({ code: 'outcome-unknown' });

test('reads each result by its operation, and sends the operations as they are', async () => {
  const operations = [
    insert('T', { a: 1 }, U),
    select('T', where),
    update('T', where, { a: 2 }),
    mutate('T', where, [['a', '+=', 1]]),
    remove('T', where),
    comment('why'),
  ];
  expect(
    await outcome(operations, [
      { uuid: ['uuid', U] },
      { rows: [{ a: 1 }] },
      { count: 1 },
      { count: 0 },
      { count: 1 },
      {},
    ]),
  ).toEqual({
    ok: true,
    results: [
      { kind: 'inserted', uuid: U },
      { kind: 'selected', rows: [{ a: 1 }] },
      { kind: 'counted', count: 1 },
      { kind: 'counted', count: 0 },
      { kind: 'counted', count: 1 },
      { kind: 'done' },
    ],
  });
  expect(server.heard[0]).toMatchObject({
    method: 'transact',
    params: ['db', ...(JSON.parse(JSON.stringify(operations)) as unknown[])],
  });
});

test('an operation that fails is named by its index, and what follows is void', async () => {
  const result = await outcome(
    [comment('a'), wait('T', where, ['a'], [{ a: 1 }]), remove('T', where)],
    [{}, { error: 'timed out', details: '"wait" timed out' }, null],
  );
  const error = { kind: 'error', error: 'timed out', details: '"wait" timed out', at: 1 };
  expect(result).toEqual({
    ok: false,
    error,
    results: [{ kind: 'done' }, error, { kind: 'void' }],
  });
});

test('a commit that fails after all operations passed is no success', async () => {
  const result = await outcome(
    [remove('T', where)],
    [{ count: 1 }, { error: 'referential integrity violation', details: 'd' }],
  );
  expect(result).toMatchObject({
    ok: false,
    results: [{ kind: 'counted', count: 1 }],
    error: { error: 'referential integrity violation', at: 'commit' },
  });
});

test.each<[string, unknown]>([
  ['no list', { count: 1 }],
  ['too short', []],
  ['void without an error', [null]],
  ['the result of another operation', [{ rows: [] }]],
  ['not an object', ['ok']],
  ['a cluster that gave up on the entry', [{ count: 1 }, { error: 'cluster error' }]],
])('a reply that is %s leaves the outcome unknown', async (_, result) => {
  await expect(outcome([remove('T', where)], result)).rejects.toEqual(unknown);
});

test('a connection that ends between request and reply leaves the outcome unknown', async () => {
  await answering((_, socket) => socket.destroy());
  await expect(transact(rpc, 'db', [comment('a')])).rejects.toEqual(unknown);
});

test('no reply in time leaves the outcome unknown', async () => {
  await answering(() => undefined);
  await expect(transact(rpc, 'db', [comment('a')], { timeoutMs: 20 })).rejects.toEqual(unknown);
});

test('a transaction that was never sent has not happened: the reason is that of the connection', async () => {
  await answering(() => undefined);
  rpc.close();
  await expect(transact(rpc, 'db', [comment('a')])).rejects.toEqual(
    expect.objectContaining({ code: 'closed' }),
  );
});

test('a request that is refused as a whole is no unknown outcome', async () => {
  await answering(
    ({ id }, socket) =>
      void socket.write(JSON.stringify({ id, result: null, error: { error: 'unknown database' } })),
  );
  await expect(transact(rpc, 'db', [comment('a')])).rejects.toEqual(
    expect.objectContaining({ code: 'refused', error: 'unknown database' }),
  );
});

test.each([update('T', [], {}), mutate('T', [], []), remove('T', [])])(
  '$op without a condition is sent only when every row is meant',
  async (operation) => {
    await answering((heard, socket) => answer(socket, heard, [{ count: 3 }]));
    await expect(transact(rpc, 'db', [select('T', where, ['_uuid']), operation])).rejects.toThrow(
      new TypeError(`${operation.op} on T has no condition and would match every row.`),
    );
    expect(server.heard).toEqual([]);
    expect(await transact(rpc, 'db', [operation], { everyRow: true })).toMatchObject({ ok: true });
  },
);

test('a change of one row, and a read of every row, are no change of every row', () => {
  const changes = [insert('T', {}), update('T', where, {}), mutate('T', where, [])];
  expect(() =>
    refuseEveryRow([...changes, remove('T', where), select('T', [], ['_uuid'])]),
  ).not.toThrow();
});

test('wait refuses at once unless a time is given, and blocks only when asked to for ever', () => {
  expect(wait('T', where, [], [])).toMatchObject({ timeout: 0, until: '==' });
  expect(wait('T', where, [], [], '!=', 500)).toMatchObject({ timeout: 500, until: '!=' });
  expect(wait('T', where, [], [], '==', Infinity)).not.toHaveProperty('timeout');
});

test('an insert has a uuid of its own, so that repeating it is refused', () => {
  expect(insert('T', {})).toMatchObject({ uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(abort()).toEqual({ op: 'abort' });
});
