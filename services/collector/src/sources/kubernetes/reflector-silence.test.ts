import type { Fault } from './testing/fault-server';
import { cleanUp, names, reflecting, until } from './testing/reflecting';
import type { Timing } from './timing';

afterEach(cleanUp);

const IDLE = 150; // not so short that a busy machine is silent by itself
/** A server that never says anything of its own accord. */
async function inSilence(timing: Partial<Timing> = {}, idleMs = IDLE) {
  const reflected = await reflecting(
    { silence: 100, stableAfter: 100, checkPerObject: 0, ...timing },
    idleMs,
  );
  reflected.server.bookmarks = false;
  names(8).forEach((name) => reflected.server.put(name));
  reflected.run();
  await until(() => reflected.mirror.count('complete') === 1);
  return reflected;
}

describe('a kind of which nothing is heard', () => {
  test('is checked, and while nothing differs that is progress and nothing else', async () => {
    const { server, mirror, reports, same } = await inSilence();
    const reported = mirror.log.length;
    await until(() => mirror.count('progress') >= 4);
    const after = mirror.log.slice(reported);
    expect(new Set(after.map((it) => it.type))).toEqual(new Set(['progress']));
    const times = after.map((it) => (it.type === 'progress' ? Date.parse(it.through) : NaN));
    times.forEach((it, i) => expect(it - (times[i - 1] ?? 0)).toBeGreaterThanOrEqual(IDLE - 5));
    expect(mirror.count('begin')).toBe(1);
    expect(server.asked.page).toBe(2 * server.asked.list);
    expect(reports).toEqual([]);
    expect(same()).toBe(true);
  });

  test('is dated to before each read of it began, not to its end', async () => {
    const { server, mirror } = await inSilence();
    await until(() => mirror.count('progress') >= 3);
    const times = mirror.log.flatMap((it) =>
      it.type === 'progress' ? [Date.parse(it.through)] : [],
    );
    times.forEach((it, i) => expect(it).toBeLessThanOrEqual(server.listsAt[i] as number));
  });

  test('is followed from where the check was', async () => {
    const { server, mirror, same } = await inSilence();
    server.skip();
    const reached = server.revision;
    await until(() =>
      mirror.log.some((it) => it.type === 'progress' && it.cursor === String(reached)),
    );
    const watches = server.asked.watch;
    server.compact(); // a position from before the check would be gone
    await until(() => server.asked.watch > watches);
    server.put('new');
    await until(same);
    expect(mirror.count('begin')).toBe(1);
  });

  test.each<[string, (server: Awaited<ReturnType<typeof inSilence>>['server']) => void]>([
    ['an addition', (server) => server.put('new')],
    ['a change', (server) => server.put('pod-3', { changed: 'yes' })],
    ['a deletion', (server) => server.remove('pod-3')],
  ])('that swallowed %s is read again', async (_name, happens) => {
    const { server, mirror, same } = await inSilence();
    server.next({ at: 'event', do: 'drop' });
    happens(server);
    expect(same()).toBe(false);
    await until(() => mirror.count('complete') === 2);
    expect(same()).toBe(true);
    expect(mirror.count('gone')).toBe(0);
  });

  test('that counts lower than before, as after a restore, is read again', async () => {
    const { server, mirror } = await inSilence();
    await until(() => server.asked.watch >= 1);
    server.next({ at: 'list', shift: -1 });
    await until(() => mirror.count('complete') === 2);
  });

  test('costs no more lists than it has objects for', async () => {
    const { server, mirror } = await inSilence({ checkPerObject: 10_000, unreachableAfter: 100 });
    await until(() => server.asked.watch >= 6);
    expect(server.asked.list).toBe(1);
    expect(mirror.unavailable).toBeUndefined();
    expect(mirror.count('progress')).toBe(1);
  });

  test.each<[string, Fault]>([
    ['refused', { at: 'list', answer: 500 }],
    ['cut', { at: 'page', do: 'reset' }],
    ['silent itself', { at: 'page', do: 'stall' }],
    ['of two states', { at: 'page', do: 'drift' }],
  ])('is no progress while the check is %s', async (_name, fault) => {
    const { server, mirror, reports, same } = await inSilence();
    await until(() => server.asked.watch >= 1);
    const reported = mirror.count('progress');
    server.next(fault);
    await until(() => reports.length === 1);
    expect(mirror.count('progress')).toBe(reported);
    await until(() => mirror.count('progress') > reported);
    expect(same()).toBe(true);
  });

  test('is unavailable when checks fail for long, though its watch opens', async () => {
    const { server, mirror } = await inSilence({ unreachableAfter: 400 });
    server.next(...Array.from({ length: 6 }, () => ({ at: 'list', answer: 500 }) as const));
    await until(() => mirror.unavailable === 'unreachable');
    await until(() => mirror.unavailable === undefined && mirror.count('complete') === 2);
  });
});

test('a kind that is heard is not checked, also when its watch ends', async () => {
  const { server, mirror } = await inSilence();
  const bookmarks = setInterval(() => server.bookmark(), 10);
  await until(() => mirror.count('progress') >= 20).finally(() => clearInterval(bookmarks));
  expect(server.asked).toMatchObject({ list: 1, watch: 1 });
  server.bookmark();
  server.endWatches();
  await until(() => server.asked.watch >= 2);
  expect(server.asked.list).toBe(1);
});

test('a kind whose watches are ended early and in silence is checked', async () => {
  const { server, mirror } = await inSilence({}, 5_000);
  await until(() => server.asked.watch >= 1);
  await new Promise((go) => setTimeout(go, 120));
  server.endWatches();
  await until(() => mirror.count('progress') === 2);
  expect(mirror.count('begin')).toBe(1);
  // The end alone is no progress: it was made by a second list, and is dated to before it.
  expect(server.asked.list).toBe(2);
  const [, through = NaN] = mirror.log.flatMap((it) =>
    it.type === 'progress' ? [Date.parse(it.through)] : [],
  );
  expect(through).toBeLessThanOrEqual(server.listsAt[1]!);
});
