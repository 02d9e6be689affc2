import { setTimeout as sleep } from 'node:timers/promises';
import { type BackoffOptions, fullJitter } from '../wire/backoff';
import { OvsdbError } from '../wire/errors';
import { parseRemotes, type Remote } from '../wire/remote';
import type { SeenIndexes } from './server-state';
import { openSession, type Session, type SessionOptions } from './session';

export interface FindOptions extends SessionOptions {
  /** As {@link parseRemotes} reads them; tried in this order, round after round. */
  remotes: string | readonly Remote[];
  /** Delay after a round in which no server was fit. */
  backoff?: BackoffOptions;
}

/** A server that could not be used. */
export interface Attempt {
  readonly remote: Remote;
  readonly error: OvsdbError;
  /** Milliseconds until the next attempt. */
  readonly retryInMs: number;
}

export interface ServerFinder {
  /**
   * Tries one server after the other until one is fit; yields each failure.
   * @throws the signal's reason when aborted. Anything but an OvsdbError of a server is thrown,
   *   too.
   */
  find(): AsyncGenerator<Attempt, Session, undefined>;
}

/**
 * Remembers which server comes next and how far each cluster was seen, from one search to the next.
 */
export function serverFinder(options: FindOptions): ServerFinder {
  const { backoff, signal } = options;
  const remotes =
    typeof options.remotes === 'string' ? parseRemotes(options.remotes) : options.remotes;
  const seen: SeenIndexes = new Map();
  const capMs = backoff?.capMs ?? 15_000;
  let next = 0;
  let failures = 0;
  let openedAt = -Infinity;

  async function* find(): AsyncGenerator<Attempt, Session, undefined> {
    // A session that did not last counts as a failure; otherwise a server that always fails after
    // the handshake would be tried again without pause.
    if (performance.now() - openedAt > capMs) failures = 0;
    else if (++failures % remotes.length === 0)
      await sleep(
        fullJitter(failures / remotes.length - 1, backoff),
        undefined,
        signal && { signal },
      );
    for (;;) {
      const remote = remotes[next % remotes.length];
      if (remote === undefined)
        throw new OvsdbError('remote-invalid', 'There is no remote to connect to.');
      try {
        const session = await openSession(remote, options, seen);
        openedAt = performance.now();
        return session;
      } catch (error) {
        if (!(error instanceof OvsdbError) || signal?.aborted === true) throw error;
        next++;
        failures++;
        const retryInMs =
          failures % remotes.length === 0 ? fullJitter(failures / remotes.length - 1, backoff) : 0;
        yield { remote, error, retryInMs };
        await sleep(retryInMs, undefined, signal && { signal });
      }
    }
  }
  return { find };
}

export interface OpenOptions extends FindOptions {
  /** How often all servers are tried before giving up with the last error. Default 1. */
  rounds?: number;
}

/**
 * A session with the first suitable server, for transactions.
 * @throws OvsdbError of the last attempt.
 */
export async function openDatabase(options: OpenOptions): Promise<Session> {
  const search = serverFinder(options).find();
  const remotes =
    typeof options.remotes === 'string' ? parseRemotes(options.remotes) : options.remotes;
  for (let left = (options.rounds ?? 1) * remotes.length; ; left--) {
    const found = await search.next();
    if (found.done === true) return found.value;
    if (left <= 1) throw found.value.error;
  }
}
