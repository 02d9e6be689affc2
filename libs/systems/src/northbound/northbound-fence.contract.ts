import { operation, type Operation } from '@ovn-steward/ovsdb';
import { exists, never, removal, results, type Scene, valueOf } from '../testing/northbound-scene';
import type { Northbound } from './northbound';

const { byUuid, comment, update } = operation;

interface Given {
  readonly nb: Northbound;
  readonly scene: Scene;
  readonly client: (steals?: boolean) => Northbound;
  readonly lossy: () => { readonly client: Northbound; lose(what: 'request' | 'reply'): void };
}

/** Who may write, and what is known when an answer is lost. */
export function describeFence(given: () => Given): void {
  const renaming = (name: string): Operation[] => [
    update('Logical_Switch', byUuid(given().scene.switch), { name }),
  ];
  const nameNow = (): Promise<unknown> =>
    valueOf(given().nb, 'Logical_Switch', given().scene.switch, 'name');
  /**
   * Writes twice: the server may refuse the first one (`not owner`) before its notification
   * arrives; the second one is rejected.
   */
  const expectFenced = async (client: Northbound): Promise<void> => {
    const first = await client
      .write(renaming('by the former'), never)
      .catch((error: unknown) => error);
    expect([{ is: 'refused', error: 'not owner', at: 0 }, { code: 'fenced' }]).toContainEqual(
      expect.objectContaining(shapeOf(first)),
    );
    await expect(client.write(renaming('by the former'), never)).rejects.toMatchObject({
      code: 'fenced',
    });
  };
  const shapeOf = (outcome: unknown): object => {
    const { code, is, error, at } = outcome as Record<string, unknown>;
    return code !== undefined ? { code } : { is, error, at };
  };

  test('who never took over may read and not write', async () => {
    const { client, scene } = given();
    const stranger = client();
    await expect(stranger.write(renaming('by a stranger'), never)).rejects.toMatchObject({
      code: 'fenced',
    });
    expect(await valueOf(stranger, 'Logical_Switch', scene.switch, 'name')).toBe(scene.name);
  });

  test('who takes over later writes, and the former one never again', async () => {
    const { nb, client, scene } = given();
    const later = client();
    await later.takeOver(never);
    await expectFenced(nb);
    expect(await nameNow()).toBe(scene.name);
    results(await later.write(renaming('by the later'), never));
    expect(await nameNow()).toBe('by the later');
    // That the later one is gone does not give it back.
    await later.close();
    await expectFenced(nb);
  });

  test('it is taken back only by taking over again, and the other is fenced then', async () => {
    const { nb, client } = given();
    const other = client();
    await other.takeOver(never);
    await expectFenced(nb);
    await nb.takeOver(never);
    results(await nb.write(renaming('back'), never));
    await expectFenced(other);
    expect(await nameNow()).toBe('back');
  });

  test('taking over twice is as once', async () => {
    const { nb } = given();
    await nb.takeOver(never);
    results(await nb.write([comment('still mine')], never));
  });

  test('who takes the lock from nobody is refused while another acts, and takes nothing from it; it is free when that one is gone', async () => {
    const { nb, client } = given();
    const polite = client(false);
    await expect(polite.takeOver(never)).rejects.toMatchObject({
      code: 'fenced',
      message: expect.stringContaining('Another executor acts on'),
    });
    await expect(polite.write(renaming('by the polite'), never)).rejects.toMatchObject({
      code: 'fenced',
    });
    results(await nb.write(renaming('by its holder'), never));
    await nb.close();
    await polite.takeOver(never);
    results(await polite.write(renaming('by the polite'), never));
  });

  test('who only stands by is seen by who asks, robs nobody, and writes nothing before it takes over', async () => {
    const { nb, client } = given();
    const idle = client();
    const polite = client(false);
    await idle.queueForLock(never);
    results(await nb.write(renaming('by its holder'), never));
    await nb.close();
    await idle.queueForLock(never);
    await expect(polite.takeOver(never)).rejects.toMatchObject({ code: 'fenced' });
    await expect(idle.write(renaming('by the idle'), never)).rejects.toMatchObject({
      code: 'fenced',
    });
    await idle.takeOver(never);
    results(await idle.write(renaming('by the idle'), never));
  });

  test('a lost reply leaves open what happened; here it did, once, and repeating it is refused', async () => {
    const { nb, scene, lossy } = given();
    const { client, lose } = lossy();
    try {
      await client.takeOver(never);
      lose('reply');
      await expect(client.write(removal(scene), never)).rejects.toMatchObject({
        code: 'outcome-unknown',
      });
      expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(false);
      expect(await client.write(removal(scene), never)).toMatchObject({
        is: 'refused',
        error: 'timed out',
        at: 0,
      });
    } finally {
      await client.close();
    }
  });

  test('a lost request leaves open what happened; here nothing did, and repeating it does it', async () => {
    const { nb, scene, lossy } = given();
    const { client, lose } = lossy();
    try {
      await client.takeOver(never);
      lose('request');
      await expect(client.write(removal(scene), never)).rejects.toMatchObject({
        code: 'outcome-unknown',
      });
      expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(true);
      results(await client.write(removal(scene), never));
      expect(await exists(nb, 'Logical_Switch_Port', scene.port)).toBe(false);
    } finally {
      await client.close();
    }
  });
}
