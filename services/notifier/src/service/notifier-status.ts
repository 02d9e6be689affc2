import { FollowedPartition } from '@ovn-steward/service/kafka/followed-partition';
import { z } from 'zod';

/** What `/status` of a notifier shows besides what it shows of every service. */
export const NotifierStatus = z.object({
  partitions: z.array(FollowedPartition),
  sinks: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      waiting: z.number().int().describe('Groups of findings it may have to report.'),
      failure: z
        .string()
        .nullable()
        .describe('Why it did not take the last notification; null when it did.'),
    }),
  ),
});
export type NotifierStatus = z.infer<typeof NotifierStatus>;
