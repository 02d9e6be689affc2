import { randomUUID } from 'node:crypto';
import { operation, type Operation } from '@ovn-steward/ovsdb';
import {
  exists,
  never,
  references,
  results,
  type Scene,
  valueOf,
} from '../testing/northbound-scene';
import type { Northbound } from './northbound';

const { byUuid, insert, insertNamed, mutate, named, remove, set, update, uuid } = operation;

/** What the server does with references, indexes and limits when all operations have passed. */
export function describeReferences(given: () => { nb: Northbound; scene: Scene }): void {
  const write = (...operations: Operation[]): ReturnType<Northbound['write']> =>
    given().nb.write(operations, never);
  const done = async (...operations: Operation[]): Promise<unknown> =>
    results(await write(...operations));

  test('a row that another holds cannot be deleted, unless the reference goes with it', async () => {
    const { nb, scene } = given();
    expect(await write(remove('Logical_Switch_Port', byUuid(scene.port)))).toMatchObject({
      is: 'refused',
      error: 'referential integrity violation',
      at: 'commit',
    });
    expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(true);
    await done(
      remove('Logical_Switch_Port', byUuid(scene.port)),
      mutate('Logical_Switch', byUuid(scene.switch), [['ports', 'delete', uuid(scene.port)]]),
    );
    expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(false);
  });

  test('a row with two holders goes with the last', async () => {
    const { nb, scene } = given();
    const second = randomUUID();
    await done(
      insert('Logical_Switch', { name: `${scene.name}-2`, ports: uuid(scene.port) }, second),
    );
    await done(
      mutate('Logical_Switch', byUuid(scene.switch), [['ports', 'delete', uuid(scene.port)]]),
    );
    expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(true);
    await done(remove('Logical_Switch', byUuid(second)));
    expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(false);
  });

  test('what only a deleted row held goes with it, and what that held', async () => {
    const { nb, scene } = given();
    const group = randomUUID();
    const chassis = randomUUID();
    const balancer = randomUUID();
    await done(
      insert('HA_Chassis_Group', { name: scene.name, ha_chassis: uuid(chassis) }, group),
      insert('HA_Chassis', { chassis_name: 'c', priority: 1 }, chassis),
    );
    await done(
      update('Logical_Switch_Port', byUuid(scene.port), { ha_chassis_group: uuid(group) }),
      insert('Load_Balancer', { name: scene.name }, balancer),
      update('Logical_Switch', byUuid(scene.switch), { load_balancer: uuid(balancer) }),
    );
    expect(await write(remove('HA_Chassis_Group', byUuid(group)))).toMatchObject({
      error: 'referential integrity violation',
      at: 'commit',
    });
    // The switch's ports are collected only after references were counted.
    expect(
      await write(
        remove('Logical_Switch', byUuid(scene.switch)),
        remove('HA_Chassis_Group', byUuid(group)),
      ),
    ).toMatchObject({ error: 'referential integrity violation', at: 'commit' });
    await done(remove('Logical_Switch', byUuid(scene.switch)));
    expect([
      await exists(nb, 'Logical_Switch_Port', scene.port),
      await exists(nb, 'HA_Chassis_Group', group),
      await exists(nb, 'Load_Balancer', balancer),
    ]).toEqual([false, true, true]);
    await done(remove('HA_Chassis_Group', byUuid(group)));
    expect(await exists(nb, 'HA_Chassis', chassis)).toBe(false);
  });

  test('a weak reference goes with its target, and is not stored to a row that is not there', async () => {
    const { nb, scene } = given();
    const balancer = randomUUID();
    await done(
      insert('Load_Balancer', { name: scene.name }, balancer),
      update('Logical_Switch', byUuid(scene.switch), {
        load_balancer: set([uuid(balancer), uuid(randomUUID())]),
      }),
    );
    expect(await references(nb, 'Logical_Switch', scene.switch, 'load_balancer')).toEqual([
      balancer,
    ]);
    await done(remove('Load_Balancer', byUuid(balancer)));
    expect(await references(nb, 'Logical_Switch', scene.switch, 'load_balancer')).toEqual([]);
  });

  test('a strong reference to a row that is not there is refused', async () => {
    const { scene } = given();
    expect(
      await write(
        mutate('Logical_Switch', byUuid(scene.switch), [['ports', 'insert', uuid(randomUUID())]]),
      ),
    ).toMatchObject({ error: 'referential integrity violation', at: 'commit' });
  });

  test('a row that nothing holds is reported as inserted and not kept, where its table is no root', async () => {
    const { nb } = given();
    const id = randomUUID();
    const root = randomUUID();
    expect(
      await done(
        insert('Logical_Switch_Port', { name: id }, id),
        insert('Load_Balancer', {}, root),
      ),
    ).toEqual([
      { kind: 'inserted', uuid: id },
      { kind: 'inserted', uuid: root },
    ]);
    expect([
      await exists(nb, 'Logical_Switch_Port', id),
      await exists(nb, 'Load_Balancer', root),
    ]).toEqual([false, true]);
  });

  test('rows of one transaction refer to each other, also forwards, by name and by uuid', async () => {
    const { nb, scene } = given();
    const first = randomUUID();
    const second = randomUUID();
    const [, inserted] = (await done(
      mutate('Logical_Switch', byUuid(scene.switch), [
        ['ports', 'insert', set([named('later'), uuid(first), uuid(second)])],
      ]),
      insertNamed('Logical_Switch_Port', { name: `${scene.name}-l` }, 'later'),
      insert('Logical_Switch_Port', { name: `${scene.name}-1` }, first),
      {
        op: 'insert',
        table: 'Logical_Switch_Port',
        row: { name: `${scene.name}-2` },
        uuid: second,
        'uuid-name': 'both',
      },
      mutate('Port_Group', byUuid(scene.group), [['ports', 'insert', named('both')]]),
    )) as [unknown, { uuid: string }];
    expect(await references(nb, 'Logical_Switch', scene.switch, 'ports')).toEqual(
      [scene.port, scene.neighbour, inserted.uuid, first, second].sort(),
    );
    expect(await references(nb, 'Port_Group', scene.group, 'ports')).toEqual(
      [scene.port, second].sort(),
    );
  });

  test('a uuid is taken once, also when its row was deleted in the same transaction', async () => {
    const { scene } = given();
    expect(
      await write(insert('Port_Group', { name: `${scene.name}2` }, scene.group)),
    ).toMatchObject({ error: 'duplicate uuid', at: 0 });
    expect(
      await write(
        remove('Port_Group', byUuid(scene.group)),
        insert('Port_Group', { name: scene.name }, scene.group),
      ),
    ).toMatchObject({ error: 'duplicate uuid', at: 1 });
    expect(
      await write(
        insertNamed('Port_Group', { name: `${scene.name}2` }, 'x'),
        insertNamed('Port_Group', { name: `${scene.name}3` }, 'x'),
      ),
    ).toMatchObject({ error: 'duplicate uuid-name', at: 1 });
  });

  test('a name that must be unique is, at commit: within a transaction it may change hands', async () => {
    const { nb, scene } = given();
    expect(await write(insert('Port_Group', { name: scene.name }))).toMatchObject({
      error: 'constraint violation',
      at: 'commit',
    });
    const heir = randomUUID();
    await done(
      insert('Port_Group', { name: scene.name }, heir),
      remove('Port_Group', byUuid(scene.group)),
    );
    expect([
      await exists(nb, 'Port_Group', heir),
      await exists(nb, 'Port_Group', scene.group),
    ]).toEqual([true, false]);
    await done(
      update('Port_Group', byUuid(heir), { name: `${scene.name}x` }),
      insert('Port_Group', { name: scene.name }),
    );
    expect(await write(update('Port_Group', byUuid(heir), { name: scene.name }))).toMatchObject({
      error: 'constraint violation',
      at: 'commit',
    });
  });

  test('after a refusal a row is found, and in the way, under the name it had', async () => {
    const { nb, scene } = given();
    await done(insert('Port_Group', { name: `${scene.name}2` }));
    expect(
      await write(
        update('Port_Group', byUuid(scene.group), { name: `${scene.name}3` }),
        insert('Port_Group', { name: `${scene.name}2` }),
      ),
    ).toMatchObject({ error: 'constraint violation', at: 'commit' });
    expect(
      results(
        await nb.read(
          [scene.name, `${scene.name}3`].map((name) =>
            operation.select('Port_Group', [['name', '==', name]], ['_uuid']),
          ),
          never,
        ),
      ),
    ).toMatchObject([{ rows: [{ _uuid: ['uuid', scene.group] }] }, { rows: [] }]);
    expect(await write(insert('Port_Group', { name: scene.name }))).toMatchObject({
      error: 'constraint violation',
      at: 'commit',
    });
  });

  test('a table that takes one row takes no second', async () => {
    expect(await write(insert('NB_Global', {}))).toMatchObject({
      error: 'constraint violation',
      at: 'commit',
    });
  });

  test.each<[string, (scene: Scene) => Operation, string]>([
    [
      'a value that the enumeration does not have',
      () => insert('ACL', { direction: 'sideways', priority: 1, match: '', action: 'drop' }),
      'constraint violation',
    ],
    [
      'a default that the enumeration does not have',
      () => insert('ACL', { priority: 1 }),
      'constraint violation',
    ],
    [
      'a value out of its range',
      () => insert('ACL', { direction: 'to-lport', priority: 99_999, match: '', action: 'drop' }),
      'constraint violation',
    ],
    ['a value of another type', () => insert('Logical_Switch', { name: 1 }), 'syntax error'],
    ['a column that is not there', () => insert('Logical_Switch', { nope: 1 }), 'unknown column'],
    [
      'a condition on a column that is not there',
      () => update('Logical_Switch', [['nope', '==', 1]], { name: '' }),
      'unknown column',
    ],
    [
      'a set that a mutation leaves with too few',
      () => insert('Meter', { name: randomUUID(), unit: 'kbps', bands: set([]) }),
      'syntax error',
    ],
    [
      'two values where one may be',
      ({ port }) => update('Logical_Switch_Port', byUuid(port), { enabled: set([true, false]) }),
      'syntax error',
    ],
    [
      'one value more than there may be',
      ({ port }) => mutate('Logical_Switch_Port', byUuid(port), [['tag', 'insert', set([1, 2])]]),
      'syntax error',
    ],
    [
      'an element twice',
      ({ port }) => update('Logical_Switch_Port', byUuid(port), { addresses: set(['a', 'a']) }),
      'ovsdb error',
    ],
    ['a lock that is not ours', () => operation.assertLock('nobodys'), 'not owner'],
  ])('%s is refused at its operation', async (_, broken, error) => {
    const { scene } = given();
    expect(
      await write(
        update('Logical_Switch', byUuid(scene.switch), { name: 'changed' }),
        broken(scene),
      ),
    ).toMatchObject({ is: 'refused', error, at: 1 });
    expect(await valueOf(given().nb, 'Logical_Switch', scene.switch, 'name')).toBe(scene.name);
  });
}
