import { z } from 'zod';

/**
 * A record that a service could not read, or could not publish, with where it came from: the value
 * of a record of `steward.dead-letter.v1`, under the original's key.
 */
export const DeadLetter = z.object({
  version: z.literal(1),
  /**
   * `<topic>/<partition>/<offset>` of what was read; for what could not be published
   * `<topic>/<partition>/<change or event id>`. The same failure has the same id.
   */
  id: z.string().min(1),
  /** Where it was read, or was to be written. */
  topic: z.string().min(1),
  partition: z.number().int().nonnegative(),
  /** A decimal string; null for what was never in the log. */
  offset: z.string().nullable(),
  key: z.string(),
  headers: z.record(z.string(), z.string()),
  /** Base64 of the original bytes; null for a tombstone. */
  value: z.string().nullable(),
  /**
   * The bytes are cut off here because even this topic does not take them all; then it cannot be
   * replayed.
   */
  truncated: z.boolean().default(false),
  /** The service that set it aside: `collector`, `analyzer`, `executor`. */
  by: z.string().min(1),
  /** RFC 3339, UTC. */
  at: z.string(),
  /** One sentence for a person. */
  why: z.string(),
});
export type DeadLetter = z.infer<typeof DeadLetter>;
