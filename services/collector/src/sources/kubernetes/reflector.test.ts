import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { kubernetesKind, type KubernetesKind } from '@ovn-steward/shared/kinds';
import { project } from '../../projections/project';
import { createKubeClient } from './kube-client';
import { Reflector } from './reflector';
import { createSemaphore } from './semaphore';
import { FaultServer, type Fault } from './testing/fault-server';
import { Mirror } from './testing/mirror';
import { TIMING, type Timing } from './timing';

const pod = kubernetesKind('Pod') as KubernetesKind;

const FAST: Timing = { ...TIMING, pageSize: 3, watchSeconds: [60, 60], backoff: { base: 5, max: 20 }, slowRetry: 60, unreachableAfter: 60_000, settled: 10_000 };

/** A reflector on a fault server, folded into a mirror. */
async function reflecting(timing: Partial<Timing> = {}, idleMs = 5_000, take?: (mirror: Mirror) => Promise<void>) {
  const server = new FaultServer();
  const url = await server.start();
  const access = { server: url, authenticate: async () => {}, renew: () => {} };
  const mirror = new Mirror();
  const notes: string[] = [];
  const stop = new AbortController();
  const reflector = new Reflector(pod, {
    client: createKubeClient(access, { connectMs: 1_000, idleMs }), permits: createSemaphore(2), timing: { ...FAST, ...timing },
    note: (_stream, message) => notes.push(message),
  });
  const start = () => (async () => {
    for await (const batch of reflector.run(stop.signal)) {
      mirror.take(batch);
      await take?.(mirror);
    }
  })();
  let running: Promise<void> | undefined;
  const same = (): boolean => {
    const truth = server.truth();
    return truth.length === mirror.objects.size && truth.every((it) => isDeepStrictEqual(mirror.objects.get(it.metadata.uid), project('Pod', it).object));
  };
  cleanups.push(async () => {
    stop.abort();
    await server.stop();
    await running;
  });
  return { server, mirror, notes, reflector, stop, same, run: () => { running = start(); }, ended: () => running };
}

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function until(condition: () => boolean, what = condition.toString(), ms = 4_000): Promise<void> {
  for (const end = Date.now() + ms; !condition(); await new Promise((go) => setTimeout(go, 3))) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
  }
}

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `pod-${i}`);

describe('a list', () => {
  test('comes in pages between begin and complete, with the resourceVersion it shows', async () => {
    const { server, mirror, same, run } = await reflecting();
    names(8).forEach((it) => server.put(it));
    run();
    await until(() => mirror.count('complete') === 1);
    expect(mirror.log[0]).toEqual({ type: 'begin', stream: 'kubernetes/Pod', kinds: ['Pod'] });
    expect(mirror.log.at(-1)).toEqual({ type: 'complete', stream: 'kubernetes/Pod', kinds: ['Pod'], cursor: String(server.revision) });
    expect(server.asked).toMatchObject({ list: 1, page: 2 });
    expect(same()).toBe(true);
  });

  const failures: [string, Fault][] = [
    ['whose continue token expired', { at: 'page', answer: 410 }],
    ['whose pages are of two states', { at: 'page', do: 'drift' }],
    ['that is cut inside a page', { at: 'page', do: 'reset' }],
    ['that stalls inside a page', { at: 'page', do: 'stall' }],
    ['that meets a server error', { at: 'page', answer: 500 }],
  ];
  test.each(failures)('%s begins again', async (_name, fault) => {
    const { server, mirror, same, run } = await reflecting({}, 150);
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
    server.put('never-told');
    await new Promise((go) => setTimeout(go, 250));
    expect(same()).toBe(false);
    server.endWatches();
    await until(same);
  });
});

describe('a watch', () => {
  test('tells additions, changes and deletions', async () => {
    const { server, mirror, same, run } = await reflecting();
    server.put('a');
    server.put('b');
    run();
    await until(() => mirror.count('complete') === 1);
    server.put('c', { note: 'Grüße 網路 🛰' });
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
    await until(() => server.asked.watch === 1);
    const before = new Date().toISOString();
    server.bookmark();
    await until(() => mirror.count('progress') === 1);
    expect(mirror.log.at(-1)).toMatchObject({ type: 'progress', stream: 'kubernetes/Pod', cursor: String(server.revision) });
    const told = mirror.log.at(-1);
    expect(told?.type === 'progress' && told.through >= before && told.through <= new Date().toISOString()).toBe(true);
    server.compact(); // a position from before the bookmark would be gone
    server.endWatches();
    await until(() => server.asked.watch === 2);
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

  test('tells a repeated event once', async () => {
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
  test.each(readsAnew)('reads the kind anew after %s', async (_name, fault) => {
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

  test('reads anew when its position is gone while it was away, and the list shows what vanished', async () => {
    const { server, mirror, same, run } = await reflecting();
    names(4).forEach((it) => server.put(it));
    run();
    await until(() => server.asked.watch === 1);
    server.next({ at: 'event', do: 'drop' }, { at: 'event', do: 'cut' });
    server.remove('pod-0');
    server.remove('pod-1');
    server.compact();
    await until(() => mirror.count('complete') === 2);
    expect(same()).toBe(true);
    expect(mirror.count('gone')).toBe(0);
  });

  test('reads anew when the server answers 410 to the position itself', async () => {
    const { server, mirror, run } = await reflecting();
    server.next({ at: 'watch', answer: 410 });
    run();
    await until(() => mirror.count('complete') === 2);
  });

  test('tells the end of an object whose deletion was lost when its successor appears', async () => {
    const { server, mirror, same, run } = await reflecting();
    const old = server.put('web-0');
    run();
    await until(() => mirror.count('complete') === 1);
    server.next({ at: 'event', do: 'drop' });
    server.remove('web-0');
    server.put('web-0');
    await until(same);
    expect(mirror.log.filter((it) => it.type === 'gone')).toEqual([{ type: 'gone', stream: 'kubernetes/Pod', kind: 'Pod', uid: old.metadata.uid, namespace: 'shop', name: 'web-0' }]);
    expect(server.asked.list).toBe(1);
  });

  test('does not raise the dead when events change places', async () => {
    const { server, mirror, same, run } = await reflecting();
    run();
    await until(() => server.asked.watch === 1);
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
    await until(() => server.asked.watch === 1);
    server.next({ at: 'event', do: 'drop' });
    server.remove('a');
    await new Promise((go) => setTimeout(go, 120));
    expect(mirror.objects.size).toBe(1);
    server.endWatches();
    await until(same);
  });

  test('that keeps failing ends in a list', async () => {
    const { server, mirror, run } = await reflecting();
    server.next(...Array.from({ length: 3 }, () => ({ at: 'watch', answer: 500 }) as const));
    run();
    await until(() => mirror.count('complete') === 2);
    expect(server.asked.watch).toBeGreaterThanOrEqual(3);
  });

  test('stops the server when nobody takes what it sent', async () => {
    let hold: Promise<void> | undefined;
    const { server, mirror, run } = await reflecting({}, 300, async () => hold);
    run();
    await until(() => server.asked.watch === 1);
    let release = (): void => {};
    hold = new Promise((go) => { release = go; });
    const filler = 'x'.repeat(16_000);
    for (let i = 0; i < 2_000; i += 1) server.put(`pod-${i}`, { filler });
    await until(() => server.sent > 0);
    let before = -1;
    while (before !== server.sent) {
      before = server.sent;
      await new Promise((go) => setTimeout(go, 400)); // longer than the idle time
    }
    expect(server.sent).toBeLessThan(1_500);
    hold = undefined;
    release();
    await until(() => mirror.objects.size === 2_000, 'the rest arrives', 8_000);
    expect(server.asked).toMatchObject({ list: 1, watch: 1 }); // not taking is not silence
    expect(mirror.count('begin')).toBe(1);
  }, 20_000);
});

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
    await until(() => server.asked.watch === 1);
    server.refuse = 503;
    server.endWatches();
    await new Promise((go) => setTimeout(go, 50));
    expect(mirror.unavailable).toBeUndefined();
    await until(() => mirror.unavailable === 'unreachable');
    server.refuse = undefined;
    await until(() => mirror.count('complete') === 2);
    expect(mirror.unavailable).toBeUndefined();
  });

  test.each([[403, 'forbidden'], [401, 'forbidden'], [404, 'not-served']])('HTTP %i is %s, and is tried again', async (code, reason) => {
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
    await until(() => server.asked.watch === 4);
    expect(server.asked.list).toBe(1);
    await until(() => mirror.count('complete') === 2);
  });

  test.each<[string, unknown, RegExp]>([
    ['without uid', { kind: 'Pod', metadata: { name: 'odd', namespace: 'shop', resourceVersion: '1' } }, /^Pod shop\/odd cannot be read/],
    ['without name', { kind: 'Pod', metadata: { uid: 'u-1', namespace: 'shop', resourceVersion: '1' } }, /^Pod shop\/u-1 cannot be read/],
    ['without resourceVersion', { kind: 'Pod', metadata: { name: 'odd', namespace: 'shop', uid: 'u-1' } }, /^Pod shop\/odd has no metadata.resourceVersion/],
    ['that is no object', 7, /^Pod without a name cannot be read/],
  ])('an object %s makes the kind broken, in a list and in a watch', async (_name, object, detail) => {
    for (const when of ['list', 'watch']) {
      const { server, mirror, run, same } = await reflecting();
      server.put('good');
      if (when === 'list') server.putRaw('odd', object);
      run();
      if (when === 'watch') {
        await until(() => server.asked.watch === 1);
        server.putRaw('odd', object);
      }
      await until(() => mirror.unavailable === 'broken');
      expect(mirror.log.find((it) => it.type === 'unavailable')).toMatchObject({ detail: expect.stringMatching(detail) });
      server.remove('odd-is-gone');
      server.putRaw('odd', server.put('odd-2'));
      server.remove('odd');
      await until(() => mirror.unavailable === undefined && same());
    }
  });

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

test('ends when the signal fires, wherever it is', async () => {
  const { server, stop, run, ended } = await reflecting({ slowRetry: 60_000 });
  run();
  await until(() => server.asked.watch === 1);
  stop.abort();
  await ended();
});

type Step =
  | { do: 'put'; name: string; value: number }
  | { do: 'remove'; name: string }
  | { do: 'fault'; fault: Fault }
  | { do: 'compact' | 'bookmark' | 'end' | 'wait' };

describe('whatever happens', () => {
  const visible: fc.Arbitrary<Fault> = fc.oneof(
    fc.record({ at: fc.constantFrom('list' as const, 'page' as const, 'watch' as const), answer: fc.constantFrom(401, 403, 404, 410, 429, 500, 503) }),
    fc.record({ at: fc.constantFrom('list' as const, 'page' as const), do: fc.constantFrom('reset' as const, 'stall' as const, 'html' as const, 'null-items' as const) }),
    fc.constant({ at: 'page', do: 'drift' } as const),
    fc.record({ at: fc.constant('list' as const), shift: fc.integer({ min: -8, max: 0 }) }),
    fc.record({ at: fc.constant('event' as const), error: fc.constantFrom(410, 500) }),
    fc.record({ at: fc.constant('event' as const), do: fc.constantFrom('duplicate' as const, 'swap' as const, 'half-line' as const, 'garbage' as const, 'cut' as const, 'reset' as const, 'stall' as const, 'close' as const, 'not-utf8' as const) }),
  );
  const swallowed: fc.Arbitrary<Fault> = fc.constant({ at: 'event', do: 'drop' });
  const name = fc.constantFrom(...names(6));
  const stepsWith = (fault: fc.Arbitrary<Fault>): fc.Arbitrary<Step[]> => fc.array(fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('put' as const), name, value: fc.nat(9) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('fault' as const), fault }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('compact' as const, 'bookmark' as const, 'end' as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
  ), { minLength: 5, maxLength: 60, size: 'max' });
  const ends = (steps: fc.Arbitrary<Step[]>, timing: Partial<Timing>) => fc.assert(fc.asyncProperty(steps, async (all) => {
    const { server, mirror, run, same } = await reflecting({ slowRetry: 15, ...timing }, 60);
    run();
    for (const it of all) await take(server, it);
    const nudge = setInterval(() => server.endWatches(), 100); // the test server's hours are short
    await until(() => same() && mirror.count('complete') > 0 && mirror.unavailable === undefined, 'truth', 6_000).finally(() => clearInterval(nudge));
    for (const cleanup of cleanups.splice(0)) await cleanup();
  }), { numRuns: 40, endOnFailure: true });

  test('the mirror ends as the server is, without waiting for the next full read', () => ends(stepsWith(visible), {}), 120_000);
  test('after the next full read it does so even when events were swallowed', () => ends(stepsWith(fc.oneof(visible, swallowed)), { relist: 300 }), 120_000);
});

async function take(server: FaultServer, step: Step): Promise<void> {
  switch (step.do) {
    case 'put': server.put(step.name, { value: String(step.value) }); break;
    case 'remove': server.remove(step.name); break;
    case 'fault': server.next(step.fault); break;
    case 'compact': server.compact(); break;
    case 'bookmark': server.bookmark(); break;
    case 'end': server.endWatches(); break;
    case 'wait': await new Promise((go) => setTimeout(go, 8));
  }
}
