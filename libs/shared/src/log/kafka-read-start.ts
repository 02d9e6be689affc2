import { Failure } from '../errors';
import type { Watermarks } from './log';

/**
 * Where to start for a position: 0 is the beginning, wherever that is. Throws Failure
 * `log-position-lost` when records before it were removed unread, or it is beyond the end.
 */
export function startOf(
  topic: string,
  partition: number,
  from: bigint,
  { low, high }: Watermarks,
): bigint {
  if (from === 0n) return low;
  if (from >= low && from <= high) return from;
  const why =
    from > high
      ? 'beyond the end: the log was replaced'
      : 'before the beginning: retention removed what was not yet read';
  throw new Failure(
    'log-position-lost',
    `Position ${from} of ${topic}/${partition} is ${why} (it holds ${low} to ${high}). Read it again from offset ${low}.`,
  );
}
