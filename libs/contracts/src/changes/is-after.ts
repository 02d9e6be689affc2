import type { Change } from './change';

/** Where something stands in its stream. */
export type StreamPosition = Pick<Change, 'epoch' | 'seq'>;

/** Whether readers take one for newer than the other; anything is newer than nothing. */
export const isAfter = (one: StreamPosition, other: StreamPosition | undefined): boolean =>
  !other || one.epoch > other.epoch || (one.epoch === other.epoch && one.seq > other.seq);
