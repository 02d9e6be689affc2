import { z } from 'zod';

/**
 * A question about rows of the Northbound database: by their name, by uuid, or by a relation of the
 * rules.
 */
const RowQuestion = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('key'), kind: z.string(), key: z.string() }),
  z.object({ ask: z.literal('uid'), kind: z.string(), uid: z.string() }),
  z.object({ ask: z.literal('relation'), relation: z.string(), key: z.string() }),
]);

/**
 * What a proof rests on and no guard of the write can hold: two systems share no transaction. The
 * executor that is alive then verifies it again right before the write and right after it, so a
 * claim keeps it.
 */
export const Foundations = z.object({
  /** No object has this key (`namespace/name`, or name). */
  absences: z.array(z.object({ kind: z.string(), key: z.string() })),
  /** This very object has this key; and where `hash` is set, this content. */
  witnesses: z.array(
    z.object({ kind: z.string(), key: z.string(), uid: z.string(), hash: z.string().optional() }),
  ),
  /** The relation of the rules finds no object under this key. */
  vacancies: z.array(z.object({ relation: z.string(), key: z.string() })),
  /**
   * The question finds these rows and no others, by uuid with the hash of their content; some may
   * have been deleted. Where the write is itself to the database, this lists only names that no row
   * has.
   */
  rows: z.array(z.object({ question: RowQuestion, known: z.record(z.string(), z.string()) })),
});
export type Foundations = z.infer<typeof Foundations>;
