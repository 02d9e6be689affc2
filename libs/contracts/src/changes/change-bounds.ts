import { timeText } from '../record/time-text';
import type { Change } from './change';

/**
 * What the writer of a change cannot have yet. Readers refuse changes beyond these bounds: the
 * greatest epoch and the latest time win forever, so one forged record of epoch 2^53-1, or one
 * heartbeat of the year 9999, would silence a stream that appears healthy.
 *
 * Each bound follows from the record alone and the time it was appended, never from what was read
 * before: a reader that starts at the beginning of the log again, after compaction too, refuses the
 * same records. An append is refused when its time is more than an hour ahead (`Log.append`), so
 * the bounds move with the log's own clock. What a forger can reach at most is overtaken by the
 * collector within hours, by itself.
 */

/**
 * Epochs of one turn at the Lease. Every epoch of a later term is greater than all of an earlier
 * one.
 */
export const EPOCHS_OF_TERM = 2 ** 32;

const MINUTE = 60_000;
/**
 * So many terms nobody has to wait for: Leases that changed hands before the day the terms are
 * counted from.
 */
const TERMS_AT_FIRST = 2 ** 16;
/**
 * Since then a Lease may have changed hands every ten minutes on an average. Epochs stay below 2^53
 * until the year 2063.
 */
const TERM_EVERY_MS = 10 * MINUTE;
const TERMS_SINCE = Date.parse('2025-01-01T00:00:00Z');
/** Both times of a record come from one clock, which may be set back in between. */
const TIME_AHEAD_MS = 5 * MINUTE;
/** Changes of one epoch: a thousand a second for thirty years. */
const LAST_SEQ = 2 ** 40;

/**
 * The greatest epoch that a record appended then may have.
 * @param at milliseconds since 1970, as records are dated.
 */
export function lastEpoch(at: number): number {
  const terms = TERMS_AT_FIRST + Math.floor(Math.max(0, at - TERMS_SINCE) / TERM_EVERY_MS);
  return Math.min((terms + 1) * EPOCHS_OF_TERM - 1, Number.MAX_SAFE_INTEGER - 1);
}

/**
 * The latest time that a record appended at `at` may carry.
 * @param at milliseconds since 1970; so is the result.
 */
export const lastTime = (at: number): number => at + TIME_AHEAD_MS;

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/**
 * Why its writer cannot have published that at that time; undefined when it can.
 * @param at when it was appended, in milliseconds since 1970.
 */
export function implausible(change: Change, at: number): string | undefined {
  const { epoch, seq } = change;
  if (epoch > lastEpoch(at))
    return `its epoch ${epoch} is greater than any collector can have by then (${lastEpoch(at)})`;
  if (seq > LAST_SEQ) return `its seq ${seq} is greater than any collector can have (${LAST_SEQ})`;
  return (
    untimely('observedAt', change.observedAt, at) ??
    (change.type === 'heartbeat'
      ? untimely('observedThrough', change.observedThrough, at)
      : undefined)
  );
}

function untimely(field: string, text: string, at: number): string | undefined {
  if (!UTC.test(text) || Number.isNaN(Date.parse(text)))
    return `its ${field} is no time in UTC (RFC 3339, with a Z)`;
  return Date.parse(text) > lastTime(at)
    ? `its ${field} ${text} is later than the record itself (${timeText(at)})`
    : undefined;
}
