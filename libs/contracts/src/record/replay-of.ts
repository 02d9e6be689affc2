import type { LogRecord } from '@ovn-steward/shared/log/log';

/** The header of a replayed record that names the letter it was kept in. */
export const REPLAY_OF = 'replay-of';

/** Whether it was set aside once, and sent again by hand; its position is of the past. */
export const isReplayed = ({ headers }: Pick<LogRecord, 'headers'>): boolean =>
  Object.hasOwn(headers, REPLAY_OF);
