import { pause } from '@ovn-steward/shared/pause';
import { Failure } from '@ovn-steward/shared/errors';
import { createLane } from '@ovn-steward/shared/lane';
import type { Database } from '@ovn-steward/shared/log/sqlite-database';
import { isDiskFull } from '@ovn-steward/shared/log/sqlite-failure';
import { RateLimiterRes, RateLimiterSQLite } from 'rate-limiter-flexible';

export interface Rate {
  /** Above 0. */
  readonly perSecond: number;
  /** At least 1. */
  readonly burst: number;
}

/**
 * How long a turn of the executor waits for a place: between two turns what is open is settled, and
 * what people want back is put back. Milliseconds.
 */
export const PLACE_WITHIN_MS = 2000;

export interface Limiter {
  /**
   * Takes a place in the rate, as soon as one is free; in the order of the calls.
   * @param withinMs how long it waits for one at most; 0 takes one that is free now.
   * @returns whether it took one. A place costs the same whether it is used or not; to take none
   *   costs nothing.
   * @throws the signal's reason when it fires first, which costs nothing; Failure `log-full` when
   *   the disk is full.
   */
  take(withinMs: number, signal: AbortSignal): Promise<boolean>;
  /**
   * The last `count` places were used until now: each is free again only a whole window from now.
   * For places that are taken some at once and used later: what was to go some time ago must not go
   * with what may go now.
   */
  used(count: number): Promise<void>;
}

/**
 * The library's own, but created here: it would create it in the background, and end the process
 * where that fails.
 */
const TABLE = 'rate';
const SCHEMA = `CREATE TABLE IF NOT EXISTS ${TABLE} (key TEXT PRIMARY KEY, points INTEGER NOT NULL DEFAULT 0, expire INTEGER)`;

const LONGEST_WRITE_MS = 1000;

/**
 * A rate with a burst that survives restarts: in any time t no more than burst + perSecond × t are
 * let through.
 *
 * RateLimiterSQLite counts in windows that begin with the first of them: at the border of two,
 * twice as many may pass, and BurstyRateLimiter adds the burst to each of its windows. So there is
 * a window for each place in the burst, `burst / perSecond` seconds long and for one only, and they
 * are used in turn: each lets through 1 + perSecond / burst × t at most, all together what is
 * promised.
 *
 * SQLite holds wall-clock times from before each write. Memory holds monotonic times from after it,
 * so after a restart every place stays taken for one second longer. Where the wall clock was set
 * back, a place counts as used just now.
 */
export function createLimiter(db: Database, { perSecond, burst }: Rate): Limiter {
  db.exec(SCHEMA);
  db.prepare(`UPDATE ${TABLE} SET expire = expire + ?`).run(LONGEST_WRITE_MS);
  const windowMs = Math.ceil((burst * 1000) / perSecond);
  const places = new RateLimiterSQLite({
    storeClient: db,
    storeType: 'better-sqlite3',
    tableName: TABLE,
    tableCreated: true,
    keyPrefix: 'place',
    points: 1,
    duration: windowMs / 1000,
  });
  const passedAt: number[] = [];
  let turn = 0;

  /** Takes the next place. @returns for how long it is still taken, where it is; milliseconds. */
  const attemptNext = async (): Promise<number | undefined> => {
    const place = turn % burst;
    const early = (passedAt[place] ?? -Infinity) + windowMs - performance.now();
    const waitMs = early > 0 ? Math.ceil(early) : await attempt(places, String(place), windowMs);
    if (waitMs !== undefined) return waitMs;
    passedAt[place] = performance.now();
    turn += 1;
    return undefined;
  };
  const pass = async (until: number, signal: AbortSignal): Promise<boolean> => {
    for (;;) {
      signal.throwIfAborted();
      const waitMs = await attemptNext();
      if (waitMs === undefined) return true;
      const leftMs = until - performance.now();
      if (leftMs <= 0) return false;
      await pause(Math.min(waitMs, leftMs), signal); // the loop throws the reason
    }
  };
  const useUntilNow = async (count: number): Promise<void> => {
    const now = performance.now();
    for (let nth = turn - count; nth < turn; nth += 1) {
      const place = nth % burst;
      // What is stored counts after a restart, when a second is added to it.
      if (now - (passedAt[place] ?? 0) > LONGEST_WRITE_MS)
        await places.set(String(place), 1, windowMs / 1000);
      passedAt[place] = now;
    }
  };
  const { run: inOrder } = createLane();
  return {
    take: (withinMs, signal) => {
      const until = performance.now() + withinMs;
      return inOrder(() => pass(until, signal));
    },
    used: (count) => inOrder(() => useUntilNow(count)),
  };
}

/** Takes a place. @returns how long it is still taken; undefined when it is the caller's now. */
async function attempt(
  places: RateLimiterSQLite,
  place: string,
  windowMs: number,
): Promise<number | undefined> {
  try {
    await places.consume(place);
    return undefined;
  } catch (error) {
    if (error instanceof RateLimiterRes) {
      if (error.msBeforeNext <= windowMs + LONGEST_WRITE_MS)
        return Math.max(Math.ceil(error.msBeforeNext), 1);
      await places.set(place, 1, windowMs / 1000);
      return windowMs;
    }
    if (!isDiskFull(error)) throw error;
    throw new Failure('log-full', 'The executor’s memory cannot grow: free space on its disk.', {
      cause: error,
    });
  }
}
