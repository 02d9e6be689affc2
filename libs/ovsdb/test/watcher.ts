import {
  type DatabaseEvent,
  followDatabase,
  type FollowOptions,
} from '../src/session/follow-database';

type EventOf<T extends DatabaseEvent['type']> = Extract<DatabaseEvent, { type: T }>;

export interface Watcher {
  /** All events pulled so far, in order. */
  readonly seen: DatabaseEvent[];
  /** Pulls until an event of this type comes (for which `accept` holds). */
  pull<T extends DatabaseEvent['type']>(
    type: T,
    accept?: (event: EventOf<T>) => boolean,
  ): Promise<EventOf<T>>;
  /** The types of the events since the last call, echoes left out. */
  types(): string[];
  stop(): Promise<void>;
}

/** Follows a database at the pace of the test: nothing is pulled unasked. */
export function watch(options: Omit<FollowOptions, 'signal'>): Watcher {
  const abort = new AbortController();
  const events = followDatabase({
    backoff: { baseMs: 50, capMs: 300 },
    ...options,
    signal: abort.signal,
  });
  const seen: DatabaseEvent[] = [];
  let reported = 0;
  return {
    seen,
    pull: async (type, accept = () => true) => {
      for (;;) {
        const { value, done } = await events.next();
        if (done === true || value === undefined)
          throw new Error(`ended while waiting for ${type}`);
        seen.push(value);
        if (value.type === type && accept(value as EventOf<typeof type>))
          return value as EventOf<typeof type>;
      }
    },
    types: () => {
      const types = seen
        .slice(reported)
        .map((event) => event.type)
        .filter((type) => type !== 'alive');
      reported = seen.length;
      return types;
    },
    stop: async () => {
      abort.abort();
      while ((await events.next()).done !== true);
    },
  };
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));
