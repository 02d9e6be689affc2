import { operation, type Operation } from '@ovn-steward/ovsdb';
import { exists, never, removal, results, type Scene } from '../testing/northbound-scene';
import type { Northbound, RefusedTransaction } from './northbound';
import { writeTogether } from './write-together';

const { byUuid, comment, mutate, remove, uuid, wait } = operation;

/** What several writes come to that are one transaction (`writeTogether`). */
export function describeTogether(given: () => { nb: Northbound; scene: Scene }): void {
  const writing = (
    ...writes: readonly (readonly Operation[])[]
  ): Promise<Awaited<ReturnType<Northbound['write']>>[]> => {
    const together = writeTogether(given().nb);
    return Promise.all(writes.map((it) => together.write(it, never)));
  };
  const neighbourLeaves = (): Operation => {
    const { scene } = given();
    return mutate('Logical_Switch', byUuid(scene.switch), [
      ['ports', 'delete', uuid(scene.neighbour)],
    ]);
  };
  const isNamed = (switchUuid: string, name: string): Operation =>
    wait('Logical_Switch', byUuid(switchUuid), ['name'], [{ name }]);

  test('writes of one turn are committed together, each with its own results', async () => {
    const { nb, scene } = given();
    const [port, neighbour] = await writing(removal(scene), [
      comment('the neighbour'),
      neighbourLeaves(),
    ]);
    expect(results(port!)).toHaveLength(removal(scene).length);
    expect(results(neighbour!)).toMatchObject([{ kind: 'done' }, { kind: 'counted', count: 1 }]);
    expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(false);
    expect(await exists(nb, 'Logical_Switch_Port', scene.neighbour)).toBe(false);
  });

  test('one whose guard does not hold is refused by itself, and the others are committed', async () => {
    const { nb, scene } = given();
    const [port, refused, alone] = await writing(
      removal(scene),
      [comment('not so'), isNamed(scene.switch, 'another'), neighbourLeaves()],
      [comment('nothing')],
    );
    expect([port!.is, alone!.is]).toEqual(['committed', 'committed']);
    expect(refused).toMatchObject({ is: 'refused', error: 'timed out', at: 1 });
    expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(false);
    expect(await exists(nb, 'Logical_Switch_Port', scene.neighbour)).toBe(true);
  });

  test('where the commit refuses, only the one it refuses by itself is refused', async () => {
    const { nb, scene } = given();
    const [referred, neighbour] = await writing(
      [remove('Logical_Switch_Port', byUuid(scene.port))],
      [neighbourLeaves()],
    );
    expect(referred).toMatchObject({
      is: 'refused',
      error: 'referential integrity violation',
      at: 'commit',
    } satisfies Partial<RefusedTransaction>);
    expect(neighbour!.is).toBe('committed');
    expect(await exists(nb, 'Logical_Switch_Port', scene.neighbour)).toBe(false);
  });

  test('each sees what those before it changed', async () => {
    const { scene } = given();
    const rename = (from: string, to: string): readonly Operation[] => [
      isNamed(scene.switch, from),
      operation.update('Logical_Switch', byUuid(scene.switch), { name: to }),
    ];
    const [first, second, third] = await writing(
      rename(scene.name, `${scene.name}-1`),
      rename(scene.name, `${scene.name}-2`),
      rename(`${scene.name}-1`, `${scene.name}-3`),
    );
    expect([first!.is, second!.is, third!.is]).toEqual(['committed', 'refused', 'committed']);
  });
}
