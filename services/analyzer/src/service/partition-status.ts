import { z } from 'zod';

/** How far a partition of the changes was read, as `/status` shows it. */
export const PartitionStatus = z.object({
  partition: z.number().int(),
  position: z.string().describe('Where reading goes on; a whole number.'),
  lag: z.number().int().nullable().describe('Offsets to the end; null while that is not known.'),
  caughtUp: z.boolean().describe('Whether it was read to where it ended when it was given.'),
});
export type PartitionStatus = z.infer<typeof PartitionStatus>;
