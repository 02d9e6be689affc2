import type { Fault } from './testing/fault-server';
import { cleanUp, names, reflecting, until } from './testing/reflecting';

afterEach(cleanUp);

describe('a watch', () => {
  test('reports additions, changes and deletions', async () => {
    const { server, mirror, same, run } = await reflecting();
    server.put('a');
    server.put('b');
    run();
    await until(() => mirror.count('complete') === 1);
    server.put('c', { report: 'Grüße 網路 🛰' });
    server.put('a', { changed: 'yes' });
    server.remove('b');
    await until(same);
    expect(mirror.count('gone')).toBe(1);
    expect(server.asked.list).toBe(1);
  });

  test('turns a bookmark into progress, and follows on from there', async () => {
    const { server, mirror, run, same } = await reflecting();
    server.put('a');
    run();
    await until(() => server.asked.watch >= 1);
    const before = new Date().toISOString();
    const reported = () => mirror.log.findLast((it) => it.type === 'progress')!;
    // More than one: a bookmark that is there before the watch is read proves the time before it.
    await until(() => {
      server.bookmark();
      return reported().through >= before;
    });
    expect(reported()).toMatchObject({
      stream: 'kubernetes/Pod',
      cursor: String(server.revision),
    });
    expect(reported().through <= new Date().toISOString()).toBe(true);
    server.compact(); // a position from before the bookmark would be gone
    server.endWatches();
    await until(() => server.asked.watch >= 2);
    server.put('b');
    await until(same);
    expect(server.asked.list).toBe(1);
  });

  const keepsPlace: [string, Fault][] = [
    ['a connection that is cut', { at: 'event', do: 'cut' }],
    ['a connection that is reset inside a line', { at: 'event', do: 'reset' }],
    ['a stream that stalls', { at: 'event', do: 'stall' }],
    ['an early end', { at: 'event', do: 'close' }],
    ['an ERROR event that is not 410', { at: 'event', error: 500 }],
    ['a repeated event', { at: 'event', do: 'duplicate' }],
  ];
  test.each(keepsPlace)('goes on after %s, without a new list', async (_name, fault) => {
    const { server, mirror, same, run } = await reflecting({}, 150);
    names(4).forEach((it) => server.put(it));
    run();
    await until(() => mirror.count('complete') === 1);
    server.next(fault);
    server.put('pod-1', { changed: 'yes' });
    server.remove('pod-2');
    server.put('new');
    await until(same);
    expect(server.asked.list).toBe(1);
    expect(mirror.unavailable).toBeUndefined();
  });

  test('reports a repeated event once', async () => {
    const { server, mirror, same, run } = await reflecting();
    run();
    await until(() => mirror.count('complete') === 1);
    server.next({ at: 'event', do: 'duplicate' });
    server.put('a');
    server.put('b');
    await until(same);
    expect(mirror.count('object')).toBe(2);
  });

  const readsAnew: [string, Fault][] = [
    ['a line that is cut by a clean end', { at: 'event', do: 'half-line' }],
    ['a line that is not JSON', { at: 'event', do: 'garbage' }],
    ['a line that is not UTF-8', { at: 'event', do: 'not-utf8' }],
    ['an ERROR event 410', { at: 'event', error: 410 }],
  ];
  test.each(readsAnew)('reads the kind again after %s', async (_name, fault) => {
    const { server, mirror, same, run } = await reflecting();
    names(4).forEach((it) => server.put(it));
    run();
    await until(() => mirror.count('complete') === 1);
    server.next(fault);
    server.put('pod-1', { changed: 'yes' });
    server.remove('pod-2');
    await until(same);
    await until(() => mirror.count('complete') === 2);
  });

  test('reads again when its position is gone while it was away, and the list shows what vanished', async () => {
    const { server, mirror, same, run } = await reflecting();
    names(4).forEach((it) => server.put(it));
    run();
    await until(() => server.asked.watch >= 1);
    server.next({ at: 'event', do: 'drop' }, { at: 'event', do: 'cut' });
    server.remove('pod-0');
    server.remove('pod-1');
    server.compact();
    await until(() => mirror.count('complete') === 2);
    expect(same()).toBe(true);
    expect(mirror.count('gone')).toBe(0);
  });

  test('reads again when the server answers 410 to the position itself', async () => {
    const { server, mirror, run } = await reflecting();
    server.next({ at: 'watch', answer: 410 });
    run();
    await until(() => mirror.count('complete') === 2);
  });

  test('reports the end of an object whose deletion was lost when its successor appears', async () => {
    const { server, mirror, same, run } = await reflecting();
    const old = server.put('web-0');
    run();
    await until(() => mirror.count('complete') === 1);
    server.next({ at: 'event', do: 'drop' });
    server.remove('web-0');
    server.put('web-0');
    await until(same);
    expect(mirror.log.filter((it) => it.type === 'gone')).toEqual([
      {
        type: 'gone',
        stream: 'kubernetes/Pod',
        kind: 'Pod',
        uid: old.metadata.uid,
        namespace: 'shop',
        name: 'web-0',
      },
    ]);
    expect(server.asked.list).toBe(1);
  });

  test('does not raise the dead when events change places', async () => {
    const { server, mirror, same, run } = await reflecting();
    run();
    await until(() => server.asked.watch >= 1);
    server.next({ at: 'event', do: 'swap' });
    server.put('a'); // arrives after its deletion
    server.remove('a');
    server.put('b');
    await until(() => mirror.count('complete') === 2);
    await until(same);
  });

  test('an event that never came is made good by the next full read', async () => {
    const { server, mirror, same, run } = await reflecting({ relist: 100 });
    server.put('a');
    run();
    await until(() => server.asked.watch >= 1);
    server.next({ at: 'event', do: 'drop' });
    server.remove('a');
    await new Promise((go) => setTimeout(go, 120));
    expect(mirror.objects.size).toBe(1);
    server.endWatches();
    await until(same);
  });

  test('that opens and breaks without a word, again and again, ends in a list', async () => {
    const { server, mirror, run, same } = await reflecting();
    run();
    await until(() => server.asked.watch >= 1);
    server.next(...Array.from({ length: 3 }, () => ({ at: 'event', do: 'cut' }) as const));
    server.put('a');
    await until(() => mirror.count('complete') === 2);
    expect(server.asked.watch).toBeGreaterThanOrEqual(3);
    expect(same()).toBe(true);
  });

  test('that cannot be opened for a while loses no position', async () => {
    const { server, mirror, reports, run, same } = await reflecting();
    run();
    await until(() => server.asked.watch >= 1);
    server.refuse = 503;
    server.endWatches();
    server.put('a');
    await new Promise((go) => setTimeout(go, 100)); // many tries
    server.refuse = undefined;
    await until(same);
    expect(server.asked.list).toBe(1);
    expect(mirror.count('begin')).toBe(1);
    expect(reports).toHaveLength(1);
  });

  test('stops the server when nobody takes what it sent', async () => {
    let hold: Promise<void> | undefined;
    const { server, mirror, run } = await reflecting({}, 1_500, async () => hold);
    run();
    await until(() => server.asked.watch >= 1);
    let release = (): void => {};
    hold = new Promise((go) => {
      release = go;
    });
    const filler = 'x'.repeat(16_000);
    for (let i = 0; i < 2_000; i += 1) server.put(`pod-${i}`, { filler });
    await until(() => server.sentEvents > 0);
    let before = -1;
    while (before !== server.sentEvents) {
      before = server.sentEvents;
      await new Promise((go) => setTimeout(go, 2_000)); // longer than the idle time
    }
    expect(server.sentEvents).toBeLessThan(1_500);
    hold = undefined;
    release();
    await until(() => mirror.objects.size === 2_000, 'the rest arrives', 15_000);
    expect(server.asked).toMatchObject({ list: 1, watch: 1 }); // not taking is not silence
    expect(mirror.count('begin')).toBe(1);
  });
});

test('ends when the signal fires, wherever it is', async () => {
  const { server, stop, run, ended } = await reflecting({ slowRetry: 60_000 });
  run();
  await until(() => server.asked.watch >= 1);
  stop.abort();
  await ended();
});
