import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../errors';

export type Within = <T>(ms: number, what: string, promise: Promise<T>) => Promise<T>;

/**
 * What settles as the promise does, or throws Failure `log-unavailable` after `ms`, saying what was
 * requested of which brokers: kafkajs may hang.
 */
export const createWithin =
  (brokers: readonly string[]): Within =>
  async (ms, what, promise) => {
    const ended = new AbortController();
    const tooLong = sleep(Math.max(ms, 0), undefined, { signal: ended.signal }).then(
      () =>
        Promise.reject(
          new Failure(
            'log-unavailable',
            `${what} was given up after ${Math.round(ms)} ms: no answer (${brokers.join(', ')}). Try again; if it never does, check the brokers.`,
          ),
        ),
      () => new Promise<never>(() => undefined),
    );
    try {
      return await Promise.race([promise, tooLong]);
    } finally {
      ended.abort();
      promise.catch(() => undefined); // it may fail when its result is not awaited any more
    }
  };
