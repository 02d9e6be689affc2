import type { Watermarks } from '@ovn-steward/shared/log/log';

/**
 * A checkpoint is never in the middle of what was taken away, nor behind the end; 0 is the
 * beginning, wherever that is.
 */
export const within = (position: bigint, { low, high }: Watermarks): boolean =>
  position === 0n || (position >= low && position <= high);

/** The last of the positions that the log has. */
export function furthest(
  positions: readonly (bigint | undefined)[],
  high: bigint,
): bigint | undefined {
  let last: bigint | undefined;
  for (const position of positions)
    if (position !== undefined && position <= high && (last === undefined || position > last))
      last = position;
  return last;
}
