import { randomUUID } from 'node:crypto';
import { operation, type Operation } from '@ovn-steward/ovsdb';
import {
  exists,
  never,
  references,
  removal,
  results,
  type Scene,
  setScene,
} from '../testing/northbound-scene';
import type { Northbound } from './northbound';

const { byUuid, insert, map, mutate, uuid, wait } = operation;

/** The guards of a removal, one by one: each must be able to refuse it. */
export function describeGuards(given: () => { nb: Northbound; scene: Scene }): void {
  const write = async (...operations: Operation[]): Promise<unknown> =>
    results(await given().nb.write(operations, never));
  const refusedAt = async (at: number): Promise<void> => {
    const { nb, scene } = given();
    expect(await nb.write(removal(scene), never)).toMatchObject({
      is: 'refused',
      error: 'timed out',
      at,
    });
    expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(true);
  };

  test('a guarded removal that finds all as it was removes the row, and its place in the group with it; repeated, it is refused', async () => {
    const { nb, scene } = given();
    expect(results(await nb.write(removal(scene), never))).toEqual([
      { kind: 'done' },
      { kind: 'done' },
      { kind: 'done' },
      { kind: 'counted', count: 1 },
      { kind: 'done' },
    ]);
    expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(false);
    expect(await references(nb, 'Logical_Switch', scene.switch, 'ports')).toEqual([
      scene.neighbour,
    ]);
    expect(await references(nb, 'Port_Group', scene.group, 'ports')).toEqual([]);
    expect(await nb.write(removal(scene), never)).toMatchObject({
      is: 'refused',
      error: 'timed out',
      at: 0,
    });
  });

  test('it is refused when a key of the row has another value', async () => {
    const { scene } = given();
    await write(
      mutate('Logical_Switch_Port', byUuid(scene.port), [
        ['external_ids', 'delete', ['set', ['vendor']]],
        ['external_ids', 'insert', map([['vendor', 'other']])],
      ]),
    );
    await refusedAt(0);
  });

  test('it is refused when the row has a key more', async () => {
    const { scene } = given();
    await write(
      mutate('Logical_Switch_Port', byUuid(scene.port), [
        ['external_ids', 'insert', map([['more', '']])],
      ]),
    );
    await refusedAt(0);
  });

  test('it is refused when a column that was at its default no longer is', async () => {
    const { scene } = given();
    await write(operation.update('Logical_Switch_Port', byUuid(scene.port), { type: 'localnet' }));
    await refusedAt(0);
  });

  test('it is refused when the row has a second parent', async () => {
    const { scene } = given();
    await write(insert('Logical_Switch', { name: `${scene.name}-2`, ports: uuid(scene.port) }));
    await refusedAt(1);
  });

  test('it is refused when the row moved to another parent', async () => {
    const { scene } = given();
    await write(
      mutate('Logical_Switch', byUuid(scene.switch), [['ports', 'delete', uuid(scene.port)]]),
      insert('Logical_Switch', { name: `${scene.name}-2`, ports: uuid(scene.port) }),
    );
    await refusedAt(1);
  });

  test('it is refused when another group lists the row, and when none does any more', async () => {
    const { scene } = given();
    const second = randomUUID();
    await write(insert('Port_Group', { name: `${scene.name}2`, ports: uuid(scene.port) }, second));
    await refusedAt(2);
    await write(
      operation.remove('Port_Group', byUuid(second)),
      mutate('Port_Group', byUuid(scene.group), [['ports', 'delete', uuid(scene.port)]]),
    );
    await refusedAt(2);
  });

  test('it is refused when a namesake took the place of the row', async () => {
    const { nb, scene } = given();
    const namesake = randomUUID();
    await write(
      mutate('Logical_Switch', byUuid(scene.switch), [['ports', 'delete', uuid(scene.port)]]),
    );
    await write(
      insert('Logical_Switch_Port', { name: `${scene.name}-p` }, namesake),
      mutate('Logical_Switch', byUuid(scene.switch), [['ports', 'insert', uuid(namesake)]]),
    );
    expect(await nb.write(removal(scene), never)).toMatchObject({
      is: 'refused',
      error: 'timed out',
      at: 0,
    });
    expect(await exists(nb, 'Logical_Switch_Port', namesake)).toBe(true);
  });

  test('a guard that names a table the schema lacks refuses the whole', async () => {
    const { nb, scene } = given();
    const steps = removal(scene);
    expect(
      await nb.write(
        [wait('Nope', [['inport', '==', uuid(scene.port)]], ['_uuid'], []), ...steps],
        never,
      ),
    ).toMatchObject({ is: 'refused', error: 'syntax error', at: 0 });
    expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(true);
  });

  test('the order of pairs and elements does not matter to a guard, and a column it does not list is not compared', async () => {
    const { nb, scene } = given();
    const pairs = [
      ['vendor', 'kube-ovn'],
      ['ls', scene.name],
      ['pod', `shop/${scene.name}`],
    ] as const;
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
    ]) {
      const row = { external_ids: map(order.map((at) => pairs[at]!)), type: 'localnet' };
      expect(
        await nb.write(
          [wait('Logical_Switch_Port', byUuid(scene.port), ['external_ids'], [row])],
          never,
        ),
      ).toMatchObject({ is: 'committed' });
    }
  });

  test('guards compare rows as sets: two alike are as one, and none is not one', async () => {
    const { nb, scene } = given();
    const both = [['ports', 'includes', uuid(scene.port)]] as const;
    await write(insert('Logical_Switch', { name: scene.name, ports: uuid(scene.port) }));
    expect(
      await nb.write([wait('Logical_Switch', both, ['name'], [{ name: scene.name }])], never),
    ).toMatchObject({ is: 'committed' });
    expect(await nb.write([wait('Logical_Switch', both, ['name'], [])], never)).toMatchObject({
      error: 'timed out',
      at: 0,
    });
    expect(
      await nb.write([wait('Logical_Switch', byUuid(randomUUID()), ['name'], [{}])], never),
    ).toMatchObject({ error: 'timed out', at: 0 });
    expect(
      await nb.write([wait('Logical_Switch', byUuid(randomUUID()), ['name'], [{}], '!=')], never),
    ).toMatchObject({ is: 'committed' });
  });

  test('guards see what the same transaction did before them', async () => {
    const { nb, scene } = given();
    const other = await setScene(nb);
    expect(
      await nb.write(
        [
          mutate('Logical_Switch', byUuid(scene.switch), [['ports', 'delete', uuid(scene.port)]]),
          wait('Logical_Switch', [['ports', 'includes', uuid(scene.port)]], ['_uuid'], []),
          operation.update('Logical_Switch_Port', byUuid(other.port), { name: `${other.name}-q` }),
          wait('Logical_Switch_Port', [['name', '==', `${other.name}-p`]], ['_uuid'], []),
          wait(
            'Logical_Switch_Port',
            [['name', '==', `${other.name}-q`]],
            ['_uuid'],
            [{ _uuid: uuid(other.port) }],
          ),
        ],
        never,
      ),
    ).toMatchObject({ is: 'committed' });
  });
}
