import type { Fault } from './testing/fault-server';
import { cleanUp, names, reflecting, until } from './testing/reflecting';

afterEach(cleanUp);

describe('a list', () => {
  test('comes in pages between begin and complete, with the resourceVersion it shows and the time before it began', async () => {
    const { server, mirror, same, run } = await reflecting();
    names(8).forEach((it) => server.put(it));
    const before = new Date().toISOString();
    run();
    await until(() => server.asked.list >= 1);
    const requested = new Date().toISOString();
    await until(() => mirror.count('complete') === 1);
    expect(mirror.log[0]).toEqual({ type: 'begin', stream: 'kubernetes/Pod', kinds: ['Pod'] });
    expect(mirror.log.at(-2)).toEqual({
      type: 'complete',
      stream: 'kubernetes/Pod',
      kinds: ['Pod'],
      cursor: String(server.revision),
    });
    const reported = mirror.log.at(-1);
    expect(reported).toMatchObject({
      type: 'progress',
      stream: 'kubernetes/Pod',
      cursor: String(server.revision),
    });
    expect(
      reported?.type === 'progress' && reported.through >= before && reported.through <= requested,
    ).toBe(true);
    expect(server.asked).toMatchObject({ list: 1, page: 2 });
    expect(same()).toBe(true);
  });

  test('asks for smaller pages when one is too large, and gives up on an object that alone is', async () => {
    const { server, mirror, same, run } = await reflecting({ pageSize: 8, pageBytes: 700 });
    names(9).forEach((it) => server.put(it));
    run();
    await until(() => mirror.count('complete') === 1);
    expect(same()).toBe(true);
    const giant = await reflecting({ pageBytes: 700 });
    giant.server.put('giant', { filler: 'x'.repeat(1000) });
    giant.run();
    await until(() => giant.mirror.unavailable === 'broken');
    expect(giant.mirror.log[0]).toMatchObject({
      detail:
        'One Pod alone is larger than this program reads at once. Find it with kubectl get pods -A.',
    });
  });

  const failures: [string, Fault][] = [
    ['whose continue token expired', { at: 'page', answer: 410 }],
    ['whose pages are of two states', { at: 'page', do: 'drift' }],
    ['that is cut inside a page', { at: 'page', do: 'reset' }],
    ['that meets a server error', { at: 'page', answer: 500 }],
  ];
  test('that stalls inside a page begins again', async () => {
    const { server, mirror, same, run } = await reflecting({}, 150);
    names(8).forEach((it) => server.put(it));
    server.next({ at: 'page', do: 'stall' });
    run();
    await until(() => mirror.count('complete') === 1);
    // A busy machine may stall once more by itself.
    expect(mirror.count('begin')).toBeGreaterThanOrEqual(2);
    expect(same()).toBe(true);
  });

  test.each(failures)('%s begins again', async (_name, fault) => {
    const { server, mirror, same, run } = await reflecting();
    names(8).forEach((it) => server.put(it));
    server.next(fault);
    run();
    await until(() => mirror.count('complete') === 1);
    expect(mirror.count('begin')).toBe(2);
    expect(same()).toBe(true);
  });

  test.each<[string, Fault]>([
    ['an HTML page', { at: 'list', do: 'html' }],
    ['items that are null', { at: 'list', do: 'null-items' }],
  ])('of %s is broken, never empty', async (_name, fault) => {
    const { server, mirror, same, run } = await reflecting();
    server.put('web-0');
    server.next(fault);
    run();
    await until(() => mirror.count('complete') === 1);
    expect(mirror.log[0]).toMatchObject({ type: 'unavailable', reason: 'broken' });
    expect(same()).toBe(true);
  });

  test('with a resourceVersion lower than its content replays and changes nothing', async () => {
    const { server, mirror, same, run } = await reflecting();
    server.put('a');
    server.put('b');
    server.remove('a');
    server.put('a', { again: 'yes' });
    server.next({ at: 'list', shift: -4 });
    run();
    server.put('end');
    await until(same);
    await until(() => mirror.count('complete') > 0);
    server.put('end', { more: 'yes' });
    await until(same);
    expect(mirror.objects.size).toBe(3);
  });

  test('with a resourceVersion higher than its content is set right by the next full read', async () => {
    const { server, same, mirror, run } = await reflecting({ relist: 200 });
    server.put('a');
    server.next({ at: 'list', shift: 5 });
    run();
    await until(() => mirror.count('complete') === 1);
    server.put('never-reported');
    await new Promise((go) => setTimeout(go, 250));
    expect(same()).toBe(false);
    server.endWatches();
    await until(same);
  });
});
