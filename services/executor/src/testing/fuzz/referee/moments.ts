import type { Settings } from '@ovn-steward/shared/settings/settings';

/** An instant, as one process sees it. */
export interface Moment {
  /** By its own clock, milliseconds since 1970. */
  readonly wall: number;
  /** By the clock that is never set; milliseconds. */
  readonly steady: number;
  /** How many decisions of people were in the log. */
  readonly decisions: number;
}

/** What one process may do, and what it can know of the time. */
export interface Limited {
  readonly settings: Settings['executor'];
  /** When it began to read the log: what was removed before, it can know of. */
  readonly started: Moment & { readonly removals: number };
  /** When its turn began. */
  turn(): Moment;
  /**
   * When it got its last place in the rate: what it does next was decided at most two seconds
   * before.
   */
  placed(): Moment | undefined;
  /** When it saw another term of the controllers' Lease begin. */
  leaseMovedAt(): Pick<Moment, 'wall' | 'steady'> | undefined;
  /** When it saw that it had reached the Northbound again. */
  northboundMovedAt(): Pick<Moment, 'wall' | 'steady'> | undefined;
}

/** The same, at the instant at which it sends something. */
export interface LimitedNow {
  readonly of: Limited;
  readonly turn: Moment;
  readonly placed: Moment | undefined;
  readonly leaseMovedAt: Pick<Moment, 'wall' | 'steady'> | undefined;
  readonly northboundMovedAt: Pick<Moment, 'wall' | 'steady'> | undefined;
  readonly steady: number;
}

export const limitedNow = (of: Limited): LimitedNow => ({
  of,
  turn: of.turn(),
  placed: of.placed(),
  leaseMovedAt: of.leaseMovedAt(),
  northboundMovedAt: of.northboundMovedAt(),
  steady: performance.now(),
});
