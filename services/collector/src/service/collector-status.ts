import { z } from 'zod';

/** How far a stream was read. */
export const STREAM_STATES = ['silent', 'reading', 'complete', 'answered', 'unavailable'] as const;

/** What `/status` of a collector shows besides what it shows of every service. */
export const CollectorStatus = z.object({
  cluster: z.string(),
  role: z
    .enum(['starting', 'catching up', 'leading', 'standing by'])
    .describe(
      'Only the leading one reads the sources. catching up: it learns from the log what was published before.',
    ),
  term: z
    .number()
    .int()
    .nullable()
    .describe('Which leadership this is; 0 without a Lease, null while it has none.'),
  position: z
    .string()
    .nullable()
    .describe('The offset up to which it knows the changes in the log; a whole number.'),
  streams: z.array(
    z.object({
      stream: z.string(),
      source: z.string(),
      state: z.enum(STREAM_STATES),
      detail: z.string().optional(),
      epoch: z.number().int().nullable(),
      seq: z.number().int().nullable().describe('Of the last change published.'),
    }),
  ),
});
export type CollectorStatus = z.infer<typeof CollectorStatus>;
