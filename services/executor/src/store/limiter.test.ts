import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { TYPESCRIPT_ARGUMENTS } from '@ovn-steward/shared/testing/typescript-arguments';
import fc from 'fast-check';
import { createLimiter, type Rate } from './limiter';

const NEVER = new AbortController().signal;
let directory: string;
let db: Database;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'limiter-'));
  db = openSqliteDatabase(join(directory, 'executor.db'));
  db.pragma('journal_mode = WAL');
});
afterEach(() => {
  db.close();
  rmSync(directory, { recursive: true });
});

/**
 * The most that went beyond burst + perSecond × t in any time t; at most 0 when the promise is
 * kept.
 */
function beyond(times: readonly number[], { perSecond, burst }: Rate): number {
  const excess = times.flatMap((from, i) =>
    times.slice(i).map((to, more) => more + 1 - burst - (perSecond * (to - from)) / 1000),
  );
  return Math.max(...excess, 0);
}

async function taken(rate: Rate, forMs: number, pauses: readonly number[] = []): Promise<number[]> {
  const limiter = createLimiter(db, rate);
  const times: number[] = [];
  const end = performance.now() + forMs;
  for (let n = 0; performance.now() < end; n += 1) {
    await limiter.take(Infinity, NEVER);
    times.push(performance.now());
    const pause = pauses[n % Math.max(pauses.length, 1)] ?? 0;
    if (pause > 0) await sleep(pause);
  }
  return times;
}

/**
 * On a busy machine time goes by between a passing and our noting it: 20 ms and more of it at the
 * rates below. A limiter that lets one too many through is beyond by a whole place.
 */
const HALF_A_PLACE = 0.5;

test('lets through no more than burst + perSecond × t in any time t', async () => {
  const rate = { perSecond: 20, burst: 10 };
  const times = await taken(rate, 1100);
  expect(beyond(times, rate)).toBeLessThanOrEqual(HALF_A_PLACE);
  expect(times.length).toBeGreaterThan(10);
});

test('whatever the rate and the pauses', async () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        perSecond: fc.integer({ min: 10, max: 25 }),
        burst: fc.integer({ min: 1, max: 12 }),
      }),
      pauses,
      async (rate, between) => {
        db.exec('DROP TABLE IF EXISTS rate');
        expect(beyond(await taken(rate, 250, between), rate)).toBeLessThanOrEqual(HALF_A_PLACE);
      },
    ),
    { numRuns: 15 },
  );
});

test('and the restarts', async () => {
  const rate = { perSecond: 25, burst: 4 };
  const times = await taken(rate, 150);
  for (let life = 0; life < 3; life += 1) times.push(...(await taken(rate, 150)));
  expect(beyond(times, rate)).toBeLessThanOrEqual(HALF_A_PLACE);
  expect(times.length).toBeGreaterThan(rate.burst);
});

const KILLED = `
  const { createLimiter } = require(process.argv[1] + '/limiter.ts');
  const { openSqliteDatabase } = require('@ovn-steward/shared/log/sqlite-database');
  const limiter = createLimiter(openSqliteDatabase(process.argv[2]), { perSecond: 2, burst: 4 });
  (async () => {
    for (let n = 0; n < 4; n += 1) await limiter.take(Infinity, new AbortController().signal);
    process.kill(process.pid, 'SIGKILL');
  })();
`;

test('what a killed process took is taken', async () => {
  const child = spawn(
    process.execPath,
    [...TYPESCRIPT_ARGUMENTS, '-e', KILLED, __dirname, join(directory, 'executor.db')],
    { stdio: 'inherit' },
  );
  const [, signal] = (await once(child, 'exit')) as [unknown, string];
  const died = performance.now();
  expect(signal).toBe('SIGKILL');
  const limiter = createLimiter(db, { perSecond: 2, burst: 4 });
  await limiter.take(Infinity, NEVER);
  expect(performance.now() - died).toBeGreaterThan(2500); // 3 s after the first was written, which was just before the end
});

/** Whoever waits for a place waits for longer than a test may take. */
const HARDLY_ANY = { perSecond: 0.001 };

test('many who ask at once share the burst', async () => {
  const limiter = createLimiter(db, { ...HARDLY_ANY, burst: 5 });
  await Promise.all(Array.from({ length: 5 }, () => limiter.take(Infinity, NEVER)));
});

test('what is free is taken without waiting, and what is not costs nothing', async () => {
  const limiter = createLimiter(db, { perSecond: 10, burst: 3 });
  await limiter.take(Infinity, NEVER);
  const began = performance.now();
  const three = await Promise.all([1, 2, 3].map(() => limiter.take(0, NEVER)));
  expect(three).toEqual([true, true, false]);
  await limiter.take(Infinity, NEVER);
  expect(performance.now() - began).toBeGreaterThan(50);
});

test('one that is not free within the time is not waited for, and costs nothing', async () => {
  const limiter = createLimiter(db, { perSecond: 4, burst: 1 });
  await limiter.take(Infinity, NEVER);
  const began = performance.now();
  expect(await limiter.take(100, NEVER)).toBe(false);
  expect(performance.now() - began).toBeGreaterThanOrEqual(99);
  expect(await limiter.take(2000, NEVER)).toBe(true);
});

test.each([
  ['later than they were taken', 1200, false],
  ['later than they were taken, also after a restart', 1200, true],
  ['soon after they were taken', 400, false],
  ['soon after they were taken, also after a restart', 400, true],
])('places that are used %s count from then', async (_, afterMs, restarts) => {
  const rate = { perSecond: 2, burst: 4 };
  const limiter = createLimiter(db, rate);
  for (let n = 0; n < 4; n += 1) await limiter.take(Infinity, NEVER);
  await sleep(afterMs);
  const used = performance.now();
  await limiter.used(4);
  await (restarts ? createLimiter(db, rate) : limiter).take(Infinity, NEVER);
  expect(performance.now() - used).toBeGreaterThanOrEqual(2000);
});

test('one that was long in writing down is counted from when it passed', async () => {
  const limiter = createLimiter(db, { perSecond: 5, burst: 1 });
  const spin = (until: number): void => {
    while (performance.now() < until);
  };
  db.function('slow', () => {
    spin(performance.now() + 150);
    return null;
  });
  db.exec('CREATE TRIGGER slowly AFTER INSERT ON rate BEGIN SELECT slow(); END');
  await limiter.take(Infinity, NEVER);
  const passed = performance.now();
  await limiter.take(Infinity, NEVER);
  expect(performance.now() - passed).toBeGreaterThan(100);
});

test('one after the other, in the order of their asking', async () => {
  const limiter = createLimiter(db, { perSecond: 200, burst: 1 });
  const order: number[] = [];
  await Promise.all(
    [0, 1, 2, 3, 4].map((n) => limiter.take(Infinity, NEVER).then(() => order.push(n))),
  );
  expect(order).toEqual([0, 1, 2, 3, 4]);
});

test('who stops waiting costs nothing, and holds up nobody', async () => {
  const limiter = createLimiter(db, { perSecond: 10, burst: 1 });
  await limiter.take(Infinity, NEVER);
  const began = performance.now();
  const stop = new AbortController();
  const waiting = limiter.take(Infinity, stop.signal);
  const next = limiter.take(Infinity, NEVER);
  stop.abort(new Error('asked to stop'));
  await expect(waiting).rejects.toThrow('asked to stop');
  await next;
  expect(performance.now() - began).toBeGreaterThan(50);
});

test('who stops waiting before his turn leaves his place to the next', async () => {
  const limiter = createLimiter(db, { ...HARDLY_ANY, burst: 2 });
  const stop = new AbortController();
  const first = limiter.take(Infinity, NEVER);
  const waiting = limiter.take(Infinity, stop.signal);
  stop.abort(new Error('asked to stop'));
  await expect(waiting).rejects.toThrow('asked to stop');
  await first;
  await limiter.take(Infinity, NEVER);
});

test('a clock that was set back costs one turn of all places, not the time it was set back', async () => {
  const rate = { perSecond: 20, burst: 2 };
  await createLimiter(db, rate).take(Infinity, NEVER);
  db.exec('UPDATE rate SET expire = expire + 86400000');
  const began = performance.now();
  await createLimiter(db, rate).take(Infinity, NEVER);
  expect(performance.now() - began).toBeGreaterThan(50); // and not a day
});
