import { between } from '@ovn-steward/shared/jitter';
import { PAGE_SIZE } from '@ovn-steward/systems/kubernetes/list-pages';
import { LARGEST_ANSWER } from '@ovn-steward/systems/kubernetes/read-json';

/** Every span and size the reflector goes by. Milliseconds unless said otherwise. */
export interface Timing {
  /** Objects requested per page of a list. */
  readonly pageSize: number;
  /**
   * A page is not read beyond this; strings in V8 end at 512 MiB, and a page is held more than once
   * while it is parsed.
   */
  readonly pageBytes: number;
  /**
   * A watch's request has the server end it after this many seconds, drawn again each time so that
   * reconnects spread. Two seconds before that the server says how far it has sent everything
   * (Kubernetes from 1.16 on), or it says nothing and the kind is checked. A finding waits for
   * every kind that its rule reads; bookmarks alone come once a minute.
   */
  readonly watchSeconds: readonly [number, number];
  /** Full jitter: the n-th wait is drawn from 0 to min(max, base × 2^n). */
  readonly backoff: { readonly base: number; readonly max: number };
  /**
   * Between two tries of what only a person can change: rights, a missing kind, an object of a
   * wrong shape.
   */
  readonly slowRetry: number;
  /** How long a stream that was whole may stay unread before it is said to be unavailable. */
  readonly unreachableAfter: number;
  /** A watch that lived this long was a good one: the back-off starts over. */
  readonly stableAfter: number;
  /**
   * A watch that was cut and received nothing for this long, or that ended in time without an
   * event, is followed by a check, a full read that shows whether what was published still is all
   * there is.
   */
  readonly silence: number;
  /**
   * Checks of a kind are at least this far apart for each object it has: what silence costs does
   * not grow with the kind.
   */
  readonly checkPerObject: number;
  /**
   * After this long a kind is read in full although nothing went wrong: an event that never came
   * leaves no trace.
   */
  readonly relist: number;
}

export const REFLECTOR_TIMING: Timing = {
  pageSize: PAGE_SIZE,
  pageBytes: LARGEST_ANSWER,
  watchSeconds: [8, 10],
  backoff: { base: 500, max: 30_000 },
  slowRetry: 60_000,
  unreachableAfter: 120_000,
  stableAfter: 30_000,
  silence: 60_000,
  checkPerObject: 10,
  relist: 6 * 3600_000,
};

/** A wait before try `attempt`, counted from 0. */
export const retryDelay = (backoff: Timing['backoff'], attempt: number): number =>
  between(0, Math.min(backoff.max, backoff.base * 2 ** Math.min(attempt, 30)));
