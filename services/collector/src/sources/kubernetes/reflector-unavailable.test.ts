import { cleanUp, reflecting, until } from './testing/reflecting';

afterEach(cleanUp);

describe('unavailable', () => {
  test('is said at once when the first list cannot reach the server, and ends with a complete list', async () => {
    const { server, mirror, run, same } = await reflecting();
    server.put('a');
    server.refuse = 503;
    run();
    await until(() => mirror.unavailable === 'unreachable');
    expect(mirror.count('begin')).toBe(0);
    server.refuse = undefined;
    await until(() => mirror.count('complete') === 1);
    expect(mirror.count('unavailable')).toBe(1);
    expect(same()).toBe(true);
  });

  test('is not said of a short interruption, and is said of a long one; then a list ends it', async () => {
    const { server, mirror, run } = await reflecting({ unreachableAfter: 150 });
    run();
    await until(() => server.asked.watch >= 1);
    server.refuse = 503;
    server.endWatches();
    await new Promise((go) => setTimeout(go, 50));
    expect(mirror.unavailable).toBeUndefined();
    await until(() => mirror.unavailable === 'unreachable');
    server.refuse = undefined;
    await until(() => mirror.count('complete') === 2);
    expect(mirror.unavailable).toBeUndefined();
  });

  test.each([
    [403, 'forbidden'],
    [401, 'forbidden'],
    [404, 'not-served'],
  ])('HTTP %i is %s, and is tried again', async (code, reason) => {
    const { server, mirror, run } = await reflecting();
    server.refuse = code;
    run();
    await until(() => mirror.unavailable === reason);
    server.refuse = undefined;
    await until(() => mirror.count('complete') === 1);
    expect(mirror.count('unavailable')).toBe(1);
  });

  test('a watch that is forbidden while lists are allowed does not list again and again', async () => {
    const { server, mirror, run } = await reflecting();
    server.next(...Array.from({ length: 4 }, () => ({ at: 'watch', answer: 403 }) as const));
    run();
    await until(() => mirror.unavailable === 'forbidden');
    await until(() => server.asked.watch >= 4);
    expect(server.asked.list).toBe(1);
    await until(() => mirror.count('complete') === 2);
  });

  test.each<[string, unknown, RegExp]>([
    [
      'without uid',
      { kind: 'Pod', metadata: { name: 'odd', namespace: 'shop', resourceVersion: '1' } },
      /^Pod shop\/odd cannot be read/,
    ],
    [
      'without name',
      { kind: 'Pod', metadata: { uid: 'u-1', namespace: 'shop', resourceVersion: '1' } },
      /^Pod shop\/u-1 cannot be read/,
    ],
    [
      'without resourceVersion',
      { kind: 'Pod', metadata: { name: 'odd', namespace: 'shop', uid: 'u-1' } },
      /^Pod shop\/odd has no metadata.resourceVersion/,
    ],
    ['that is no object', 7, /^Pod without a name cannot be read/],
  ])(
    'an object %s makes the kind broken, in a list and in a watch',
    async (_name, object, detail) => {
      for (const when of ['list', 'watch']) {
        const { server, mirror, run, same } = await reflecting();
        server.put('good');
        if (when === 'list') server.putRaw('odd', object);
        run();
        if (when === 'watch') {
          await until(() => server.asked.watch >= 1);
          server.putRaw('odd', object);
        }
        await until(() => mirror.unavailable === 'broken');
        expect(mirror.log.find((it) => it.type === 'unavailable')).toMatchObject({
          detail: expect.stringMatching(detail),
        });
        server.remove('odd-is-gone');
        server.putRaw('odd', server.put('odd-2'));
        server.remove('odd');
        await until(() => mirror.unavailable === undefined && same());
      }
    },
  );

  test('a server that says when to come back is not asked before', async () => {
    const { server, mirror, run } = await reflecting();
    server.next({ at: 'list', answer: 429, retryAfter: 1 });
    const began = Date.now();
    run();
    await until(() => mirror.count('complete') === 1);
    expect(Date.now() - began).toBeGreaterThanOrEqual(990);
  });

  test('a kind that is not served is tried again soon after a wake', async () => {
    const { server, mirror, run, reflector } = await reflecting({ slowRetry: 60_000 });
    server.refuse = 404;
    run();
    await until(() => mirror.unavailable === 'not-served');
    server.refuse = undefined;
    reflector.wake();
    await until(() => mirror.count('complete') === 1, 'soon', 1_000);
  });
});
