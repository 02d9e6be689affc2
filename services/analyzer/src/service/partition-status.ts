import { FollowedPartition } from '@ovn-steward/service/kafka/followed-partition';
import { z } from 'zod';

/** How far a partition of the changes was read, as `/status` shows it. */
export const PartitionStatus = FollowedPartition.extend({
  caughtUp: z.boolean().describe('Whether it was read to where it ended when it was given.'),
});
export type PartitionStatus = z.infer<typeof PartitionStatus>;
