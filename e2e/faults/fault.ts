import type { Bed } from '../support/bed';
import type { Random } from '../support/random';

/** One thing that breaks, and how. */
export interface Fault {
  /** What is broken, in words that fit "with … nothing is lost". */
  readonly breaks: string;
  /**
   * Breaks it while `busy` goes on; must have mended it when it settles, as whoever runs the
   * servers would. Whatever `busy` does, it is done when its promise settles.
   */
  readonly strike: (bed: Bed, random: Random, busy: Promise<void>) => Promise<void>;
  /** Why it cannot be tried on this machine; undefined when it can. */
  readonly missing?: () => string | undefined;
}
