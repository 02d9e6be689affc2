import type { Log } from '@ovn-steward/shared/log/log';

/** A partition of the changes, and who reads it. */
export interface Place {
  readonly log: Log;
  readonly partition: number;
  /** Of the consumers that share the partitions. */
  readonly group: string;
  readonly clock: () => Date;
}
