import type { CompactedTopic, Log } from '@ovn-steward/shared/log/log';
import { CHANGES, TOPICS } from '@ovn-steward/shared/log/topics';

const CHANGES_SPEC = TOPICS.find(
  (it): it is CompactedTopic => it.name === CHANGES && it.cleanup === 'compact',
)!;

/** Changes younger than this are all still there, superseded or not, with time to read them. */
const WHOLE_MS = CHANGES_SPEC.minCompactionLagMs / 2;

/**
 * A reader that has not read the changes for longer may have missed deletions whose last trace is
 * removed.
 */
export const MISSED_MS = CHANGES_SPEC.deleteRetentionMs - CHANGES_SPEC.minCompactionLagMs;

/**
 * From which change on each can be judged by itself: from the position, where everything since is
 * still in the log. Otherwise only the present end: compaction has removed what later changes
 * replaced, so that in between objects seem absent that were not.
 */
export async function wholeFrom(
  log: Log,
  partition: number,
  position: bigint,
  now: number,
): Promise<bigint> {
  const { high } = await log.watermarks(CHANGES, partition);
  if (position >= high) return position;
  const [next] = (await log.read(CHANGES, partition, position, 1)).records;
  return next && now - next.timestamp < WHOLE_MS ? position : high;
}
