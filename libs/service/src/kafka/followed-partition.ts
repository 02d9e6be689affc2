import { z } from 'zod';
import type { CatchingUp } from './catching-up';

/** How far a partition of a topic was read, as `/status` shows it. */
export const FollowedPartition = z.object({
  partition: z.number().int(),
  position: z.string().describe('Where reading goes on; a whole number.'),
  lag: z.number().int().nullable().describe('Offsets to the end; null while that is not known.'),
});
export type FollowedPartition = z.infer<typeof FollowedPartition>;

/** @param next where reading goes on; undefined for a partition never read. */
export const followedPartition = (
  partition: number,
  next: bigint | undefined,
  progress: Pick<CatchingUp, 'lags'> | undefined,
): FollowedPartition => ({
  partition,
  position: String(next ?? 0n),
  lag: progress?.lags().get(partition) ?? null,
});
