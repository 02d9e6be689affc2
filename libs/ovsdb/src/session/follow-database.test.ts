import {
  answer,
  type Heard,
  startScriptedServer,
  type ScriptedServer,
} from '../../test/scripted-server';
import { pause, watch, type Watcher } from '../../test/watcher';
import type { FollowOptions } from './follow-database';

const A = '00000000-0000-4000-8000-00000000000a';
const B = '00000000-0000-4000-8000-00000000000b';
const schema = {
  name: 'Db',
  version: '1.0.0',
  tables: {
    T: {
      isRoot: true,
      columns: { n: { type: 'integer' }, s: { type: { key: 'string', min: 0, max: 'unlimited' } } },
    },
  },
};
type Socket = Parameters<typeof answer>[0];
type Script = Record<string, (heard: Heard, socket: Socket) => void>;

let server: ScriptedServer;
let watcher: Watcher;

afterEach(async () => {
  await watcher.stop();
  await server.stop();
});

const unknown = ({ id }: Heard, socket: Socket): void =>
  void socket.write(JSON.stringify({ id, result: null, error: 'unknown method' }));
const notify = (socket: Socket, method: string, ...params: unknown[]): void =>
  void socket.write(JSON.stringify({ method, params, id: null }));

/**
 * A server with one database and without `_Server`, as before OVS 2.9; what `script` leaves out it
 * does not know.
 */
async function follow(script: Script, options: Partial<FollowOptions> = {}): Promise<void> {
  const known: Script = {
    list_dbs: (heard, socket) => answer(socket, heard, ['Db']),
    get_schema: (heard, socket) => answer(socket, heard, schema),
    echo: (heard, socket) => answer(socket, heard, heard.params),
    ...script,
  };
  server = await startScriptedServer({
    message: (heard, socket) => (known[heard.method ?? ''] ?? unknown)(heard, socket),
  });
  watcher = watch({ remotes: [server.remote], database: 'Db', probeMs: 0, ...options });
}

const requested = (): string[] =>
  server.heard
    .map(({ method }) => method ?? 'reply')
    .filter((method) => method.startsWith('monitor'));

test('a server that knows only the RFC is followed by monitor and update', async () => {
  await follow({
    monitor: (heard, socket) => {
      answer(socket, heard, { T: { [A]: { new: { n: 1, s: 'x' } } } });
      notify(socket, 'update', 'Db', { T: { [A]: { old: { n: 1 }, new: { n: 2, s: 'x' } } } });
      notify(socket, 'update', 'Db', { T: { [A]: { old: { n: 2, s: 'x' } } } });
    },
  });
  const { replica } = await watcher.pull('snapshot');
  expect(requested()).toEqual(['monitor_cond_since', 'monitor_cond', 'monitor']);
  expect(server.heard.find(({ method }) => method === 'monitor')?.params).toEqual([
    'Db',
    'Db',
    { T: [{ columns: ['n', 's'] }] },
  ]);
  // Heard, but not yet pulled: the replica is as the last event left it.
  await pause(30);
  expect(replica.get('T', A)?.get('n')).toBe(1);
  expect((await watcher.pull('changes')).changes[0]?.kind).toBe('modify');
  expect(replica.get('T', A)?.get('n')).toBe(2);
  expect((await watcher.pull('changes')).changes[0]?.kind).toBe('delete');
});

test('a server without monitor_cond_since is followed by monitor_cond and update2', async () => {
  await follow({
    monitor_cond: (heard, socket) => {
      answer(socket, heard, { T: { [A]: { initial: { s: ['set', ['x', 'y']] } } } });
      notify(socket, 'update2', 'Db', { T: { [A]: { modify: { s: ['set', ['y', 'z']] } } } });
    },
  });
  const { replica, lastTxnId } = await watcher.pull('snapshot');
  expect([requested(), lastTxnId]).toEqual([['monitor_cond_since', 'monitor_cond'], undefined]);
  await watcher.pull('changes');
  expect(replica.get('T', A)?.get('s')).toEqual(new Set(['x', 'z']));
});

test('resumes after the last transaction that was pulled, not the last that arrived', async () => {
  let connections = 0;
  await follow({
    monitor_cond_since: (heard, socket) => {
      connections++;
      if (connections === 1) {
        answer(socket, heard, [false, 't0', { T: { [A]: { initial: { n: 1 } } } }]);
        notify(socket, 'update3', 'Db', 't1', { T: { [A]: { modify: { n: 2 } } } });
        socket.end('{"method":"update3","params":["Db","t2",{"T":{}}],"id":null}');
      } else {
        answer(socket, heard, [true, 't9', { T: { [B]: { insert: {} } } }]);
      }
    },
  });
  const first = await watcher.pull('snapshot');
  expect((await watcher.pull('changes')).lastTxnId).toBe('t1');
  const resumed = await watcher.pull('snapshot');
  expect(watcher.types()).toEqual(['snapshot', 'changes', 'changes', 'lost', 'snapshot']);
  expect(resumed).toMatchObject({
    found: true,
    lastTxnId: 't9',
    changes: [{ kind: 'insert', uuid: B }],
  });
  expect(resumed.replica).toBe(first.replica);
  expect(
    server.heard
      .filter(({ method }) => method === 'monitor_cond_since')
      .map(({ params }) => params?.[3]),
  ).toEqual(['00000000-0000-0000-0000-000000000000', 't2']);
});

test('an update that cannot follow from what is held leads to a full re-read, not to a guess', async () => {
  let connections = 0;
  await follow({
    monitor_cond_since: (heard, socket) => {
      answer(socket, heard, [false, 't0', { T: { [A]: { initial: { n: ++connections } } } }]);
      if (connections === 1)
        notify(socket, 'update3', 'Db', 't1', { T: { [B]: { modify: { n: 2 } } } });
    },
  });
  await watcher.pull('snapshot');
  expect((await watcher.pull('lost')).error.code).toBe('out-of-step');
  expect((await watcher.pull('snapshot')).changes).toMatchObject([{ kind: 'modify', uuid: A }]);
  await pause(30);
  expect(server.open()).toBe(1);
  expect(
    server.heard
      .filter(({ method }) => method === 'monitor_cond_since')
      .map(({ params }) => params?.[3]),
  ).toEqual(Array(2).fill('00000000-0000-0000-0000-000000000000'));
});

test.each<[string, unknown]>([
  ['no list', { found: true }],
  ['found, though nothing was asked for', [true, 't0', {}]],
  ['a table the schema lacks', [false, 't0', { U: {} }]],
])('a first answer that is %s is no content', async (_, result) => {
  await follow({ monitor_cond_since: (heard, socket) => answer(socket, heard, result) });
  await watcher.pull('lost');
  expect(watcher.types()).toEqual(['lost']);
});

test('a server that takes long to gather its first answer is not taken for dead, one that never answers is', async () => {
  let connections = 0;
  await follow(
    {
      echo: () => undefined,
      monitor_cond_since: (heard, socket) =>
        void (
          ++connections === 2 && setTimeout(() => answer(socket, heard, [false, 't0', {}]), 400)
        ),
    },
    { probeMs: 100 },
  );
  expect((await watcher.pull('lost')).error.code).toBe('timeout');
  await watcher.pull('snapshot');
  expect(watcher.types()).toEqual(['lost', 'snapshot']);
  // The patience ends with the first answer: less of the silence is borne than before it.
  const silence = watchTicks(100);
  await watcher.pull('lost');
  expect(silence.inARow()).toBeLessThan(5);
});

/**
 * How often in a row a timer came in time: as a probe does, it begins again after each time that
 * this process stood still.
 */
function watchTicks(everyMs: number): { inARow(): number } {
  let ticks = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    ticks = now - last > everyMs * 1.5 ? 0 : ticks + 1;
    last = now;
  }, everyMs);
  return {
    inARow: () => {
      clearInterval(timer);
      return ticks;
    },
  };
}

test('a server that always fails after the first answer is not asked without pause', async () => {
  await follow(
    {
      monitor_cond_since: (heard, socket) => {
        answer(socket, heard, [false, 't0', {}]);
        socket.end();
      },
    },
    { backoff: { baseMs: 400, capMs: 400 } },
  );
  const until = Date.now() + 1000;
  while (Date.now() < until) await watcher.pull('lost');
  expect(requested().length).toBeLessThan(20);
});

test('a wrong remote and a failing server are distinguished: the one is thrown, the other reported', async () => {
  await follow({ list_dbs: (heard, socket) => answer(socket, heard, ['Other']) });
  expect((await watcher.pull('failed')).error).toMatchObject({
    code: 'unsuitable',
    message: expect.stringContaining('Other'),
  });
  const wrong = watch({ remotes: 'nonsense', database: 'Db' });
  await expect(wrong.pull('failed')).rejects.toMatchObject({ code: 'remote-invalid' });
});

test('ends when aborted, also while it waits for news or between attempts', async () => {
  await follow({ monitor_cond_since: (heard, socket) => answer(socket, heard, [false, 't0', {}]) });
  await watcher.pull('snapshot');
  const waiting = watcher.pull('changes');
  const ended = expect(waiting).rejects.toThrow('ended');
  await watcher.stop();
  await ended;

  const failing = watch({
    remotes: [server.remote],
    database: 'Other',
    probeMs: 0,
    backoff: { baseMs: 600_000, capMs: 600_000 },
  });
  expect((await failing.pull('failed')).error.code).toBe('unsuitable');
  await failing.stop();
});

test('of echoes answered while nothing was pulled, the latest is reported', async () => {
  const echoes: number[] = [];
  await follow(
    {
      monitor_cond_since: (heard, socket) => answer(socket, heard, [false, 't0', {}]),
      echo: (heard, socket) => {
        echoes.push(Date.now());
        answer(socket, heard, heard.params);
      },
    },
    { probeMs: 20 },
  );
  await watcher.pull('snapshot');
  while (echoes.length < 5) await pause(20);
  // It is that of the fourth at least, which was sent after the third had come.
  expect((await watcher.pull('alive')).at).toBeGreaterThanOrEqual(echoes[2]!);
});
