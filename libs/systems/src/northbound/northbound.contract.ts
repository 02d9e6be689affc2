import { randomUUID } from 'node:crypto';
import { operation } from '@ovn-steward/ovsdb';
import {
  exists,
  never,
  references,
  removal,
  results,
  type Scene,
  setScene,
  undoing,
  valueOf,
} from '../testing/northbound-scene';
import type { Northbound } from './northbound';
import { describeFence } from './northbound-fence.contract';
import { describeGuards } from './northbound-guards.contract';
import { describeReferences } from './northbound-references.contract';
import { describeTogether } from './northbound-together.contract';

const { abort, byUuid, comment, insert, map, mutate, select, update, uuid } = operation;

/** A running database with an NB_Global row. */
export interface StartedNorthbound {
  /** Another client of it. @param steals as `LiveNorthboundOptions` has it. */
  client(steals?: boolean): Northbound;
  /** A client whose next write loses its request or its reply on the way. */
  lossy(): { readonly client: Northbound; lose(what: 'request' | 'reply'): void };
  stop(): Promise<void>;
}

/** What the executor relies on, of whatever it writes to. */
export function describeNorthbound(name: string, start: () => Promise<StartedNorthbound>): void {
  describe(`${name} (northbound contract)`, () => {
    let started: StartedNorthbound;
    let nb: Northbound;
    let scene: Scene;
    const clients: Northbound[] = [];
    const client = (steals?: boolean): Northbound => {
      const opened = started.client(steals);
      clients.push(opened);
      return opened;
    };
    beforeAll(async () => {
      started = await start();
    });
    beforeEach(async () => {
      nb = client();
      await nb.takeOver(never);
      scene = await setScene(nb);
    });
    afterEach(async () => {
      await Promise.all(clients.splice(0).map((it) => it.close()));
    });
    afterAll(() => started.stop());

    describeCalls(() => ({ nb, scene, client }));
    describeWrites(() => ({ nb, scene }));
    describeGuards(() => ({ nb, scene }));
    describeReferences(() => ({ nb, scene }));
    describeTogether(() => ({ nb, scene }));
    describeFence(() => ({ nb, scene, client, lossy: () => started.lossy() }));
  });
}

function describeCalls(
  given: () => { nb: Northbound; scene: Scene; client: () => Northbound },
): void {
  test('which database it is does not change, and is the same for every client', async () => {
    const { nb, client } = given();
    const identity = await nb.identity(never);
    expect(identity).toMatch(/^(cid|nb):[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect([await nb.identity(never), await client().identity(never)]).toEqual([
      identity,
      identity,
    ]);
  });

  test('one connection serves whatever is asked, and is counted', async () => {
    const { nb, client } = given();
    expect([nb.connections(), client().connections()]).toEqual([1, 0]);
  });

  test('the schema is the server’s', async () => {
    const schema = await given().nb.schema(never);
    expect([schema.name, schema.tables.get('Logical_Switch_Port')?.indexes]).toEqual([
      'OVN_Northbound',
      [['name']],
    ]);
  });

  test('a read has one result for each operation: no row is no error', async () => {
    const { nb, scene } = given();
    const read = results(
      await nb.read(
        [
          select('Logical_Switch', byUuid(scene.switch), ['name', 'external_ids']),
          select('Logical_Switch', byUuid(randomUUID()), ['name']),
        ],
        never,
      ),
    );
    expect(read).toEqual([
      {
        kind: 'selected',
        rows: [{ name: scene.name, external_ids: ['map', [['vendor', 'kube-ovn']]] }],
      },
      { kind: 'selected', rows: [] },
    ]);
  });

  test('a read without columns gives all, with _uuid and _version', async () => {
    const { nb, scene } = given();
    const [read] = results(await nb.read([select('Port_Group', byUuid(scene.group))], never));
    expect(read).toMatchObject({
      rows: [
        {
          _uuid: ['uuid', scene.group],
          _version: ['uuid', expect.any(String)],
          name: scene.name,
          ports: ['uuid', scene.port],
          acls: ['set', []],
        },
      ],
    });
  });

  test('a read is one picture, whatever others write meanwhile', async () => {
    const { nb, scene, client } = given();
    const other = randomUUID();
    results(await nb.write([insert('Logical_Switch', { name: `${scene.name}-2` }, other)], never));
    const move = (from: string, to: string): ReturnType<Northbound['write']> =>
      nb.write(
        [
          mutate('Logical_Switch', byUuid(from), [['ports', 'delete', uuid(scene.port)]]),
          mutate('Logical_Switch', byUuid(to), [['ports', 'insert', uuid(scene.port)]]),
        ],
        never,
      );
    const moving = (async () => {
      for (let n = 0; n < 10; n++)
        results(await (n % 2 === 0 ? move(scene.switch, other) : move(other, scene.switch)));
    })();
    const reader = client();
    for (let n = 0; n < 15; n++) {
      const read = results(
        await reader.read(
          [scene.switch, other].map((id) =>
            select(
              'Logical_Switch',
              [
                ['_uuid', '==', uuid(id)],
                ['ports', 'includes', uuid(scene.port)],
              ],
              ['name'],
            ),
          ),
          never,
        ),
      );
      expect(read.map((it) => (it.kind === 'selected' ? it.rows.length : it)).sort()).toEqual([
        0, 1,
      ]);
    }
    await moving;
  });

  test('a read of a table that is not there is refused, at the operation that asked', async () => {
    const { nb, scene } = given();
    expect(
      await nb.read(
        [select('Logical_Switch', byUuid(scene.switch), ['name']), select('Nope', [], ['name'])],
        never,
      ),
    ).toMatchObject({ is: 'refused', error: 'syntax error', at: 1 });
  });

  test('a read that would change something is a mistake, unless it is aborted', async () => {
    const { nb, scene } = given();
    const change = update('Logical_Switch', byUuid(scene.switch), { name: 'changed' });
    await expect(nb.read([change], never)).rejects.toThrow(TypeError);
    expect(await nb.read([change, abort()], never)).toMatchObject({
      is: 'refused',
      error: 'aborted',
      at: 1,
    });
    expect(await valueOf(nb, 'Logical_Switch', scene.switch, 'name')).toBe(scene.name);
  });

  test('a call that is aborted before it begins sends nothing', async () => {
    const { nb, scene } = given();
    const aborted = AbortSignal.abort(new Error('enough'));
    await expect(
      nb.write([update('Logical_Switch', byUuid(scene.switch), { name: 'changed' })], aborted),
    ).rejects.toThrow('enough');
    await expect(nb.read([], aborted)).rejects.toThrow('enough');
    expect(await valueOf(nb, 'Logical_Switch', scene.switch, 'name')).toBe(scene.name);
  });

  test('a client that was closed fails', async () => {
    const { nb } = given();
    await nb.close();
    await expect(nb.read([], never)).rejects.toMatchObject({ code: 'source-unreachable' });
    await expect(nb.write([comment('x')], never)).rejects.toMatchObject({
      code: expect.stringMatching(/source-unreachable|fenced/),
    });
  });
}

function describeWrites(given: () => { nb: Northbound; scene: Scene }): void {
  test('a count is of the rows that matched, not of those that changed', async () => {
    const { nb, scene } = given();
    const ids = byUuid(scene.switch);
    const none = byUuid(randomUUID());
    const written = results(
      await nb.write(
        [
          update('Logical_Switch', none, { name: 'x' }),
          mutate('Logical_Switch', none, [['ports', 'delete', uuid(scene.port)]]),
          mutate('Logical_Switch', ids, [['ports', 'delete', uuid(randomUUID())]]),
          mutate('Logical_Switch', ids, [['external_ids', 'insert', map([['vendor', 'other']])]]),
          mutate('Logical_Switch', ids, [['external_ids', 'delete', map([['vendor', 'other']])]]),
        ],
        never,
      ),
    );
    expect(written).toEqual([0, 0, 1, 1, 1].map((count) => ({ kind: 'counted', count })));
    expect(await valueOf(nb, 'Logical_Switch', scene.switch, 'external_ids')).toEqual([
      'map',
      [['vendor', 'kube-ovn']],
    ]);
  });

  test('an entry of a map is removed by its key, and by its pair where the value is that one', async () => {
    const { nb, scene } = given();
    const ids = byUuid(scene.port);
    results(
      await nb.write(
        [
          mutate('Logical_Switch_Port', ids, [
            ['external_ids', 'delete', ['set', ['ls']]],
            ['external_ids', 'delete', map([['vendor', 'kube-ovn']])],
          ]),
        ],
        never,
      ),
    );
    expect(await valueOf(nb, 'Logical_Switch_Port', scene.port, 'external_ids')).toEqual([
      'map',
      [['pod', `shop/${scene.name}`]],
    ]);
  });

  test('a change to every row of a table is a mistake', async () => {
    await expect(given().nb.write([operation.remove('Logical_Switch', [])], never)).rejects.toThrow(
      TypeError,
    );
  });

  test('a comment is taken', async () => {
    expect(results(await given().nb.write([comment('action 1 of rule 2')], never))).toEqual([
      { kind: 'done' },
    ]);
  });

  test('a dry run reports what would be refused, and changes nothing', async () => {
    const { nb, scene } = given();
    const steps = removal(scene);
    expect(await nb.write([...steps, abort()], never)).toMatchObject({
      is: 'refused',
      error: 'aborted',
      at: steps.length,
    });
    expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(true);
  });

  test('one refused operation leaves nothing of the others', async () => {
    const { nb, scene } = given();
    const refused = await nb.write(
      [
        update('Logical_Switch', byUuid(scene.switch), { name: 'changed' }),
        insert('Logical_Switch_Port', { nope: 1 }),
      ],
      never,
    );
    expect(refused).toMatchObject({ is: 'refused', error: 'unknown column', at: 1 });
    expect(await valueOf(nb, 'Logical_Switch', scene.switch, 'name')).toBe(scene.name);
  });

  test('what was removed comes back with its uuid, its parent and its group, once', async () => {
    const { nb, scene } = given();
    const before = results(
      await nb.read(
        [
          select('Logical_Switch_Port', byUuid(scene.port), [
            '_uuid',
            'name',
            'addresses',
            'external_ids',
            'type',
            'options',
          ]),
        ],
        never,
      ),
    );
    results(await nb.write(removal(scene), never));
    results(await nb.write(undoing(scene), never));
    expect(
      results(
        await nb.read(
          [
            select('Logical_Switch_Port', byUuid(scene.port), [
              '_uuid',
              'name',
              'addresses',
              'external_ids',
              'type',
              'options',
            ]),
          ],
          never,
        ),
      ),
    ).toEqual(before);
    expect(await references(nb, 'Logical_Switch', scene.switch, 'ports')).toEqual(
      [scene.port, scene.neighbour].sort(),
    );
    expect(await references(nb, 'Port_Group', scene.group, 'ports')).toEqual([scene.port]);
    expect(await nb.write(undoing(scene), never)).toMatchObject({
      is: 'refused',
      error: 'timed out',
      at: 0,
    });
  });
}
