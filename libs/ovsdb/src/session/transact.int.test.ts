import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { openDatabase } from './find-server';
import { type Lock, acquireLock } from './locks';
import {
  abort,
  assertLock,
  byUuid,
  comment,
  commit,
  insert,
  insertNamed,
  map,
  mutate,
  named,
  type Operation,
  remove,
  select,
  set,
  update,
  uuid,
  wait,
} from './operation';
import type { Session } from './session';
import type { TransactResult } from './transact';

const SWITCH = '00000000-0000-4000-8000-000000000001';
const PORT = '00000000-0000-4000-8000-000000000002';
const GROUP = '00000000-0000-4000-8000-000000000003';
const NOTHING = '00000000-0000-4000-8000-000000000009';

const open = (server: OvnServer): Promise<Session> =>
  openDatabase({ remotes: server.unixRemote, database: 'OVN_Northbound' });

describeWith(ovn, 'a transaction', () => {
  let server: OvnServer;
  let session: Session;
  beforeEach(async () => {
    server = await startOvnStandalone();
    session = await open(server);
    const filled = await session.transact([
      insert(
        'Logical_Switch',
        { name: 's', ports: set([uuid(PORT)]), external_ids: map([['vendor', 'kube-ovn']]) },
        SWITCH,
      ),
      insert('Logical_Switch_Port', { name: 'p', addresses: set(['a', 'b']) }, PORT),
      insert('Port_Group', { name: 'g', ports: uuid(PORT) }, GROUP),
      commit(true),
    ]);
    expect(filled.ok).toBe(true);
  });
  afterEach(async () => {
    session.close();
    await server.stop();
  });

  const rowsOf = async (table: string, columns: string[]): Promise<unknown> => {
    const [result] = (await session.transact([select(table, [], columns)])).results;
    return result?.kind === 'selected' ? result.rows : result;
  };
  const run = (...operations: Operation[]): Promise<TransactResult> => session.transact(operations);

  test('writes and reads with every operation', async () => {
    expect(
      await run(
        update('Logical_Switch', byUuid(SWITCH), { name: 't' }),
        mutate('Logical_Switch', byUuid(SWITCH), [['external_ids', 'insert', map([['k', 'v']])]]),
        select('Logical_Switch', byUuid(SWITCH), ['name', 'external_ids']),
        comment('why'),
      ),
    ).toEqual({
      ok: true,
      results: [
        { kind: 'counted', count: 1 },
        { kind: 'counted', count: 1 },
        {
          kind: 'selected',
          rows: [
            {
              name: 't',
              external_ids: [
                'map',
                [
                  ['k', 'v'],
                  ['vendor', 'kube-ovn'],
                ],
              ],
            },
          ],
        },
        { kind: 'done' },
      ],
    });
    expect(
      await run(
        insertNamed('Logical_Switch_Port', { name: 'q' }, 'q'),
        mutate('Logical_Switch', byUuid(SWITCH), [['ports', 'insert', named('q')]]),
      ),
    ).toMatchObject({ ok: true });
    expect(await rowsOf('Logical_Switch_Port', ['name'])).toHaveLength(2);
    expect(await run(remove('Port_Group', byUuid(GROUP)))).toMatchObject({
      ok: true,
      results: [{ kind: 'counted', count: 1 }],
    });
  });

  test('that removes a port under guard does it once: repeating it changes nothing', async () => {
    const guarded = [
      wait(
        'Logical_Switch_Port',
        byUuid(PORT),
        ['name', 'addresses'],
        [{ name: 'p', addresses: set(['b', 'a']) }],
      ),
      wait(
        'Logical_Switch',
        [['ports', 'includes', uuid(PORT)]],
        ['_uuid'],
        [{ _uuid: uuid(SWITCH) }],
      ),
      mutate('Logical_Switch', byUuid(SWITCH), [['ports', 'delete', uuid(PORT)]]),
    ];
    const changed = guarded.with(
      0,
      wait('Logical_Switch_Port', byUuid(PORT), ['name'], [{ name: 'other' }]),
    );
    expect(await run(...changed)).toMatchObject({
      ok: false,
      error: { error: 'timed out', at: 0 },
      results: [{ kind: 'error' }, { kind: 'void' }, { kind: 'void' }],
    });
    expect(await run(...guarded, abort())).toMatchObject({
      ok: false,
      error: { error: 'aborted', at: 3 },
    });
    expect(await rowsOf('Logical_Switch_Port', ['name'])).toHaveLength(1);
    expect(await run(...guarded)).toMatchObject({ ok: true });
    expect(await rowsOf('Logical_Switch_Port', ['name'])).toEqual([]);
    expect(await rowsOf('Port_Group', ['ports'])).toEqual([{ ports: ['set', []] }]);
    expect(await run(...guarded)).toMatchObject({
      ok: false,
      error: { error: 'timed out', at: 0 },
    });
  });

  test.each<[string, Operation[], string, number | 'commit']>([
    ['a table the schema lacks', [comment('x'), insert('Nope', {})], 'syntax error', 1],
    ['a column the schema lacks', [insert('Logical_Switch', { nope: 1 })], 'unknown column', 0],
    ['a value of another type', [insert('Logical_Switch', { name: 1 })], 'syntax error', 0],
    ['a value out of its range', [insert('ACL', { priority: 99_999 })], 'constraint violation', 0],
    ['a uuid that is in use', [insert('Logical_Switch', {}, SWITCH)], 'duplicate uuid', 0],
    [
      'a reference to nothing',
      [mutate('Logical_Switch', byUuid(SWITCH), [['ports', 'insert', uuid(NOTHING)]])],
      'referential integrity violation',
      'commit',
    ],
    [
      'a name that must be unique',
      [insert('Port_Group', { name: 'g' })],
      'constraint violation',
      'commit',
    ],
    ['a lock that is not ours', [assertLock('nobodys')], 'not owner', 0],
  ])('with %s says so, and where', async (_, operations, error, at) => {
    expect(await run(...operations)).toMatchObject({ ok: false, error: { error, at } });
  });

  test('on a database the server does not have is refused as a whole', async () => {
    await expect(session.rpc.request('transact', ['nope'])).rejects.toMatchObject({
      code: 'refused',
      error: 'unknown database',
    });
  });

  test('that was sent to a server that stops before it answers has an unknown outcome, and here it did happen', async () => {
    await server.signal('SIGSTOP');
    await expect(
      session.transact([insert('Logical_Switch', { name: 'late' })], { timeoutMs: 300 }),
    ).rejects.toMatchObject({ code: 'outcome-unknown', cause: { code: 'timeout' } });
    await server.signal('SIGCONT');
    expect(await rowsOf('Logical_Switch', ['name'])).toContainEqual({ name: 'late' });
  });

  test('that was sent to a server that is then killed has an unknown outcome, and here it did not happen', async () => {
    await server.signal('SIGSTOP');
    const sent = session.transact([insert('Logical_Switch', { name: 'lost' })]);
    const outcome = expect(sent).rejects.toMatchObject({
      code: 'outcome-unknown',
      cause: { code: 'closed' },
    });
    await server.kill();
    await outcome;
    await server.restart();
    session = await open(server);
    expect(await rowsOf('Logical_Switch', ['name'])).toEqual([{ name: 's' }]);
  });
});

describeWith(ovn, 'a lock', () => {
  let server: OvnServer;
  let one: Session;
  let other: Session;
  beforeEach(async () => {
    server = await startOvnStandalone();
    one = await open(server);
    other = await open(server);
  });
  afterEach(async () => {
    one.close();
    other.close();
    await server.stop();
  });

  const asserted = async (session: Session): Promise<boolean> =>
    (await session.transact([assertLock('l'), comment('x')])).ok;
  const change = (
    session: Session,
    how: object = {},
  ): { lock: Promise<Lock>; changed: Promise<boolean> } => {
    let reported!: (held: boolean) => void;
    const changed = new Promise<boolean>((resolve) => (reported = resolve));
    return { lock: acquireLock(session.rpc, 'l', { ...how, onChange: reported }), changed };
  };

  test('goes to the first, and to the next when it is released', async () => {
    const first = await acquireLock(one.rpc, 'l');
    const { lock, changed } = change(other);
    const second = await lock;
    expect([first.held, second.held, await asserted(one), await asserted(other)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    await first.release();
    expect(await changed).toBe(true);
    expect([first.held, second.held, await asserted(one), await asserted(other)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  test('goes to the next when its owner is gone', async () => {
    const first = await acquireLock(one.rpc, 'l');
    const { lock, changed } = change(other);
    await lock;
    one.close();
    expect([await changed, first.held]).toEqual([true, false]);
  });

  test('can be stolen, and whoever had it is notified', async () => {
    const { lock, changed } = change(one);
    const first = await lock;
    const thief = await acquireLock(other.rpc, 'l', { steal: true });
    expect([await changed, first.held, thief.held, await asserted(one)]).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  test('is asked for once a connection, and by an identifier', async () => {
    await acquireLock(one.rpc, 'l');
    await expect(acquireLock(one.rpc, 'l')).rejects.toMatchObject({ code: 'refused' });
    await expect(acquireLock(one.rpc, 'no-dashes')).rejects.toThrow(TypeError);
  });
});
