import { writeFileSync } from 'node:fs';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { scratch } from '../../test/records';
import { pause, watch, type Watcher } from '../../test/watcher';
import { openDatabase } from './find-server';
import { byUuid, insert, insertNamed, named, set, update } from './operation';
import type { RowChange } from '../replica/row-change';

const database = 'OVN_Northbound';
const files = scratch();
let server: OvnServer;
let watcher: Watcher;

const summary = (changes: readonly RowChange[]): string[] =>
  changes.map(({ kind, table, row }) => `${kind} ${table} ${String(row.get('name'))}`).sort();

describeWith(ovn, 'a standalone server that is followed', () => {
  beforeEach(async () => {
    server = await startOvnStandalone({ database: recording('leaky', 'nb.db'), schema: 'nb' });
  });
  afterEach(async () => {
    await watcher.stop();
    await server.stop();
  });
  afterAll(() => files.remove());

  test('gives its content, then each change, with a replica that is as the event left it', async () => {
    watcher = watch({ remotes: server.remote, database });
    const snapshot = await watcher.pull('snapshot');
    expect(snapshot).toMatchObject({ found: false, lastTxnId: undefined, cid: undefined });
    expect(snapshot.changes.length).toBeGreaterThan(300);
    expect(snapshot.changes.every(({ kind }) => kind === 'insert')).toBe(true);
    const switches = (await server.nbctl('--bare', '--columns=name', 'list', 'Logical_Switch'))
      .split('\n')
      .filter(Boolean);
    expect(
      [...snapshot.replica.rows('Logical_Switch')].map((row) => row.get('name')).sort(),
    ).toEqual(switches.sort());

    await server.nbctl('ls-add', 'one', '--', 'lsp-add', 'one', 'port');
    const { changes } = await watcher.pull('changes');
    expect(summary(changes)).toEqual([
      'insert Logical_Switch one',
      'insert Logical_Switch_Port port',
    ]);
    await server.nbctl('lsp-del', 'port');
    await server.nbctl('ls-del', 'one');
    const deleted = await watcher.pull('changes', (event) =>
      event.changes.some(({ kind, table }) => kind === 'delete' && table === 'Logical_Switch'),
    );
    expect(summary(deleted.changes)).toContain('delete Logical_Switch one');
    expect(snapshot.replica.size('Logical_Switch')).toBe(switches.length);
  });

  test('is read again after a restart, and what happened meanwhile comes as the difference', async () => {
    watcher = watch({ remotes: server.remote, database });
    const { replica } = await watcher.pull('snapshot');
    await server.nbctl('ls-add', 'doomed');
    await watcher.pull('changes');
    watcher.types();
    await server.restart();
    await server.nbctl('ls-del', 'doomed', '--', 'ls-add', 'born');
    const again = await watcher.pull('snapshot');
    expect(watcher.types()).toEqual(expect.arrayContaining(['lost', 'snapshot']));
    expect(again).toMatchObject({ found: false, lastTxnId: undefined });
    expect(again.replica).toBe(replica);
    expect(summary(again.changes)).toEqual([
      'delete Logical_Switch doomed',
      'insert Logical_Switch born',
    ]);
  });

  test('that falls silent is given up after two probes, and found again when it is back', async () => {
    watcher = watch({
      remotes: server.remote,
      database,
      probeMs: 200,
      connectTimeoutMs: 300,
      timeoutMs: 300,
    });
    await watcher.pull('snapshot');
    const before = Date.now();
    expect((await watcher.pull('alive')).at).toBeGreaterThan(before - 1000);
    await server.signal('SIGSTOP');
    const { error } = await watcher.pull('lost');
    expect(error.code).toBe('timeout');
    expect((await watcher.pull('failed')).error.code).toBe('timeout');
    await server.signal('SIGCONT');
    expect((await watcher.pull('snapshot')).changes).toEqual([]);
  });

  test('is not bothered by a compaction of its file', async () => {
    watcher = watch({ remotes: server.remote, database });
    await watcher.pull('snapshot');
    await server.appctl('ovsdb-server/compact');
    await server.nbctl('ls-add', 'after');
    expect(summary((await watcher.pull('changes')).changes)).toEqual([
      'insert Logical_Switch after',
    ]);
    expect(watcher.types()).toEqual(['snapshot', 'changes']);
  });

  test('is asked only for what its schema has, of what was chosen', async () => {
    watcher = watch({
      remotes: server.remote,
      database,
      tables: ['NB_Global', 'Logical_Switch', 'No_Such_Table'],
      columns: { NB_Global: ['name', 'no_such_column', '__proto__'], Constructor: ['x'] },
    });
    const { monitored, replica } = await watcher.pull('snapshot');
    expect([...monitored.keys()].sort()).toEqual(['Logical_Switch', 'NB_Global']);
    expect([...(monitored.get('NB_Global') ?? [])]).toEqual(['name']);
    const [global] = [...replica.rows('NB_Global')];
    expect([
      global?.has('name'),
      global?.has('nb_cfg'),
      replica.size('Logical_Switch_Port'),
    ]).toEqual([true, false, 0]);
    // A change of a column that is not monitored is not reported.
    await server.nbctl('set', 'NB_Global', '.', 'nb_cfg=77');
    await server.nbctl('ls-add', 'reported');
    expect(summary((await watcher.pull('changes')).changes)).toEqual([
      'insert Logical_Switch reported',
    ]);
  });

  test('may be converted to a schema with other columns: a new replica, and rows that stayed are not taken for new', async () => {
    watcher = watch({ remotes: server.remote, database });
    const before = await watcher.pull('snapshot');
    const json = structuredClone(before.schema.json) as {
      version: string;
      tables: Record<string, { columns: Record<string, unknown> }>;
    };
    json.version = '99.0.0';
    (json.tables['Logical_Switch']?.columns ?? {})['flavour'] = { type: 'string' };
    writeFileSync(files.path('converted.ovsschema'), JSON.stringify(json));
    await server.client('convert', files.path('converted.ovsschema'));
    const after = await watcher.pull('snapshot');
    expect(after.schema.version).toBe('99.0.0');
    expect(after.replica).not.toBe(before.replica);
    expect(
      new Set(
        after.changes.map(
          ({ kind, table, changed }) => `${kind} ${table} ${[...changed.keys()].join()}`,
        ),
      ),
    ).toEqual(new Set(['modify Logical_Switch flavour']));
    expect(after.changes.length).toBe(before.replica.size('Logical_Switch'));
  });

  test('merges what a slow consumer did not take, outlasts its probe, and nothing is missing', async () => {
    watcher = watch({ remotes: server.remote, database, probeMs: 2000 });
    const { replica } = await watcher.pull('snapshot');
    const session = await openDatabase({ remotes: server.remote, database });
    const [id] = (await session.transact([insert('Logical_Switch', { name: 'busy' })])).results.map(
      (result) => (result.kind === 'inserted' ? result.uuid : ''),
    );
    // Too much for the socket's buffers: the server must stop sending.
    const text = 'x'.repeat(50_000);
    for (let n = 0; n < 400; n++)
      await session.transact([
        update('Logical_Switch', byUuid(id ?? ''), {
          external_ids: ['map', [[`n${n % 7}`, `${n}${text}`]]],
        }),
      ]);
    await pause(3000);
    const marked = (
      await watcher.pull('changes', ({ changes }) =>
        changes.some(
          ({ row }) =>
            row.uuid === id &&
            [...((row.get('external_ids') as Map<string, string>) ?? [])].some(([, value]) =>
              value.startsWith('399x'),
            ),
        ),
      )
    ).changes;
    expect(marked.length).toBeGreaterThan(0);
    expect(watcher.types().filter((type) => type === 'changes').length).toBeLessThan(400);
    expect([
      ...(
        replica.get('Logical_Switch', id ?? '')?.get('external_ids') as Map<string, string>
      ).keys(),
    ]).toEqual(['n0']);
    expect(watcher.seen.some(({ type }) => type === 'lost')).toBe(false);
    session.close();
  });

  test('keeps a consumer that takes nothing for longer than its own inactivity probe', async () => {
    watcher = watch({ remotes: server.remote, database, probeMs: 2000 });
    await watcher.pull('snapshot');
    for (let n = 0; n < 40; n++) await server.nbctl('ls-add', `n${n}`);
    await pause(13_000);
    await watcher.pull('changes', ({ changes }) =>
      changes.some(({ row }) => row.get('name') === 'n39'),
    );
    expect(watcher.types()).not.toContain('lost');
  });

  test('gives 100,000 ports at first, and a change of one of them afterwards', async () => {
    const session = await openDatabase({ remotes: server.remote, database });
    for (let node = 0; node < 100; node++) {
      const ports = Array.from({ length: 1000 }, (_, port) =>
        insertNamed(
          'Logical_Switch_Port',
          {
            name: `pod-${node}-${port}.default`,
            addresses: `00:00:00:00:${node}:01 10.${node}.${port >> 8}.${port & 255}`,
            external_ids: [
              'map',
              [
                ['ls', `s${node}`],
                ['pod', `default/pod-${node}-${port}`],
                ['vendor', 'kube-ovn'],
              ],
            ],
          },
          `p${port}`,
        ),
      );
      const filled = await session.transact([
        insert('Logical_Switch', {
          name: `s${node}`,
          ports: set(ports.map((_, port) => named(`p${port}`))),
        }),
        ...ports,
      ]);
      expect(filled.ok).toBe(true);
    }
    session.close();
    const started = performance.now();
    watcher = watch({ remotes: server.remote, database });
    const { replica } = await watcher.pull('snapshot');
    const seconds = (performance.now() - started) / 1000;
    process.stderr.write(`100,000 ports: first content after ${seconds.toFixed(2)} s\n`);
    expect(replica.size('Logical_Switch_Port')).toBeGreaterThanOrEqual(100_000);
    await server.nbctl('lsp-set-enabled', 'pod-7-7.default', 'disabled');
    expect((await watcher.pull('changes')).changes).toHaveLength(1);
  });

  test('that loses a row weakly referred to reports both rows, though only one was named', async () => {
    watcher = watch({ remotes: server.remote, database });
    const { replica } = await watcher.pull('snapshot');
    await server.nbctl('ls-add', 'w', '--', 'lsp-add', 'w', 'wp', '--', 'pg-add', 'wpg', 'wp');
    await watcher.pull('changes');
    const [port] = replica.lookup('Logical_Switch_Port', ['name'], ['wp']);
    await server.nbctl('lsp-del', 'wp');
    const { changes } = await watcher.pull('changes');
    expect(summary(changes)).toEqual([
      'delete Logical_Switch_Port wp',
      'modify Logical_Switch w',
      'modify Port_Group wpg',
    ]);
    expect(changes.find(({ table }) => table === 'Port_Group')?.changed.get('ports')).toEqual({
      added: [],
      removed: [port?.uuid],
    });
  });
});

describeWith(ovn, 'a server without the database asked for', () => {
  test('is named as unsuitable, with what it has', async () => {
    server = await startOvnStandalone();
    await expect(
      openDatabase({ remotes: server.remote, database: 'OVN_Southbound' }),
    ).rejects.toMatchObject({
      code: 'unsuitable',
      message: expect.stringContaining('OVN_Northbound'),
    });
    await server.stop();
    await expect(openDatabase({ remotes: server.remote, database })).rejects.toMatchObject({
      code: 'connection',
    });
  });
});
