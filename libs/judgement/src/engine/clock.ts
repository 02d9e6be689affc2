import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { StreamState } from '../world/streams';

/** The sources' clock: the latest time that any of them reported. */
export function latest(now: string, streams: Iterable<StreamState>): string {
  for (const { observedThrough } of streams) if (observedThrough > now) now = observedThrough;
  return now;
}

/** When the state of a finding began that ends by itself. */
export const since = ({ resolvedAt, firstSeen }: Finding): string => resolvedAt ?? firstSeen;
