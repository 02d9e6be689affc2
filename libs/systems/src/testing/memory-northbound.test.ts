import { operation, parseSchema } from '@ovn-steward/ovsdb';
import { describeNorthbound, type StartedNorthbound } from '../northbound/northbound.contract';
import { memoryNorthbound, type MemoryNorthbound } from './memory-northbound';
import { recordedDatabase } from './recorded-northbound';
import { exists, never, removal, results, setScene } from './northbound-scene';
import { SHOP_SCHEMA } from '@ovn-steward/ovsdb/testing/random-transactions';

async function loaded(): Promise<MemoryNorthbound> {
  const northbound = memoryNorthbound({
    schema: parseSchema({ name: 'OVN_Northbound', version: '0.0.0', tables: {} }),
  });
  northbound.database.load(await recordedDatabase('clean'));
  return northbound;
}

async function start(): Promise<StartedNorthbound> {
  const first = await loaded();
  return {
    client: (steals) => first.peer(steals),
    lossy: () => ({
      client: first.peer(),
      lose: (what) => {
        first.database.fault = () => {
          first.database.fault = undefined;
          return `lose-${what}`;
        };
      },
    }),
    stop: () => first.close(),
  };
}

describeNorthbound('memory', start);

describe('what only the one in memory offers', () => {
  let nb: MemoryNorthbound;
  beforeEach(async () => {
    nb = await loaded();
    await nb.takeOver(never);
  });

  test('the rows of a table, as they are after each transaction', async () => {
    const scene = await setScene(nb);
    const ports = nb.database.rows('Logical_Switch_Port');
    expect(ports.get(scene.port)).toMatchObject({
      name: `${scene.name}-p`,
      addresses: ['set', ['a', 'b']],
      type: '',
    });
    const before = ports.size;
    results(await nb.write(removal(scene), never));
    expect([
      nb.database.rows('Logical_Switch_Port').size,
      nb.database.rows('Logical_Switch_Port').get(scene.port),
    ]).toEqual([before - 1, undefined]);
    expect(nb.database.rows('Port_Group').get(scene.group)).toMatchObject({ ports: ['set', []] });
    expect(() => nb.database.rows('Nope')).toThrow(TypeError);
  });

  test('others write between the question and the answer', async () => {
    const scene = await setScene(nb);
    const clear = [
      operation.mutate('Logical_Switch', operation.byUuid(scene.switch), [
        ['ports', 'delete', operation.uuid(scene.port)],
      ]),
    ];
    nb.database.between = () => {
      nb.database.between = undefined;
      nb.database.transact(clear);
    };
    expect(await nb.write(removal(scene), never)).toMatchObject({
      is: 'refused',
      error: 'timed out',
      at: 0,
    });
    expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(false);
  });

  test('nothing takes effect at once, nor is reported at once', async () => {
    const id = '00000000-0000-4000-8000-00000000000a';
    const written = nb.write([operation.insert('Load_Balancer', { name: 'x' }, id)], never);
    expect(nb.database.rows('Load_Balancer').has(id)).toBe(false);
    let reported = false;
    void written.then(() => {
      reported = true;
    });
    while (!nb.database.rows('Load_Balancer').has(id)) await Promise.resolve();
    expect(reported).toBe(false);
    await written;
  });

  test('a wait that would have to wait is a mistake here', async () => {
    await expect(
      nb.write([operation.wait('Load_Balancer', [], ['name'], [], '==', 100)], never),
    ).rejects.toThrow(TypeError);
  });

  test('a refused transaction leaves no trace', () => {
    const before = JSON.stringify(
      [...nb.database.schema.tables.keys()].map((table) => [...nb.database.rows(table)]),
    );
    const [port] = nb.database.rows('Logical_Switch_Port').keys();
    const answer = nb.database.transact([
      operation.update('Logical_Switch', [['name', '!=', '']], {
        external_ids: operation.map([['x', 'y']]),
        ports: operation.set([]),
      }),
      operation.remove('Port_Group', [['name', '!=', '']]),
      operation.insert('Port_Group', { name: 'new', ports: operation.uuid(String(port)) }),
      operation.remove('Address_Set', []),
      operation.abort(),
    ]);
    expect(answer).toMatchObject({ ok: false, error: { at: 4 } });
    expect(
      JSON.stringify(
        [...nb.database.schema.tables.keys()].map((table) => [...nb.database.rows(table)]),
      ),
    ).toBe(before);
  });

  test('another database is distinguished from a Northbound one', async () => {
    const shop = memoryNorthbound({ schema: parseSchema(SHOP_SCHEMA) });
    await expect(shop.read([], never)).rejects.toMatchObject({ code: 'input-foreign-schema' });
  });

  test('10,000 ports are removed from their switch, one by one', async () => {
    const { switch: id } = await setScene(nb);
    const uuids = Array.from(
      { length: 10_000 },
      (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    );
    const { byUuid, insert, mutate, set, uuid } = operation;
    results(
      await nb.write(
        [
          ...uuids.map((it, n) => insert('Logical_Switch_Port', { name: `bulk-${n}` }, it)),
          mutate('Logical_Switch', byUuid(id), [['ports', 'insert', set(uuids.map(uuid))]]),
        ],
        never,
      ),
    );
    // A scan of the table, or a copy of the set, at each removal would not end in time.
    for (const portUuid of uuids) {
      results(
        await nb.write(
          [
            operation.wait(
              'Logical_Switch_Port',
              byUuid(portUuid),
              ['_uuid', 'type'],
              [{ _uuid: uuid(portUuid) }],
            ),
            operation.wait(
              'Logical_Switch',
              [['ports', 'includes', uuid(portUuid)]],
              ['_uuid'],
              [{ _uuid: uuid(id) }],
            ),
            operation.wait('Port_Group', [['ports', 'includes', uuid(portUuid)]], ['_uuid'], []),
            mutate('Logical_Switch', byUuid(id), [['ports', 'delete', uuid(portUuid)]]),
          ],
          never,
        ),
      );
    }
    expect(await exists(nb, 'Logical_Switch_Port', uuids[9999]!)).toBe(false);
  });
});
