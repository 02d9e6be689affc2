import { z } from 'zod';

/**
 * That what became of an action under way could not be found out so far. It is tried again until it
 * is, or until a person gives it up.
 */
export const Unsettled = z.object({
  /** RFC 3339, UTC, on the executor's clock: when it failed first. */
  since: z.string(),
  /**
   * How often it was tried since then, up to the record that says so: not every try is recorded.
   */
  failures: z.number().int().positive(),
  /** Why, the last time, in a sentence. */
  why: z.string(),
  /** RFC 3339, UTC: when it was to be tried next, as of that record. */
  nextTryAt: z.string(),
});
export type Unsettled = z.infer<typeof Unsettled>;
