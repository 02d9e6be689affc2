import type { TimeWindow } from '@ovn-steward/shared/settings/time-window';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MINUTES = 24 * 60;
/**
 * How far ahead the next opening is searched: a window comes back in a week, and one that summer
 * time swallows in two.
 */
const HORIZON_MS = 15 * 24 * HOUR_MS;

const FORMATS = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  FORMATS.set(zone, format);
  return format;
}

/**
 * What the clock on the wall shows, as the moment in UTC that shows the same. Seconds are left out.
 */
function wallClock(zone: string, at: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year = NaN, month = NaN, day = NaN, hour = NaN, minute = NaN] = (
    ['year', 'month', 'day', 'hour', 'minute'] as const
  ).map((it) => parts.get(it));
  return Date.UTC(year, month - 1, day, hour, minute);
}

/**
 * Whether the wall shows a time that is in the window. Past midnight it counts for the day it began
 * on.
 */
function shows({ days, from, to }: TimeWindow, wall: number): boolean {
  const date = new Date(wall);
  const day = date.getUTCDay();
  const minute = date.getUTCHours() * 60 + date.getUTCMinutes();
  if (days.has(day) && minute >= from && minute < (to <= from ? DAY_MINUTES : to)) return true;
  return to <= from && minute < to && days.has((day + 6) % 7);
}

/**
 * Whether one of the windows is open; without windows always. The clock on the wall decides: where
 * summer time begins a window may be an hour shorter, where it ends an hour longer, or come twice.
 */
export const windowIsOpen = (windows: readonly TimeWindow[], now: number): boolean =>
  windows.length === 0 || windows.some((it) => shows(it, wallClock(it.zone, now)));

/**
 * When the first of the windows opens that is not open now; undefined when none does within two
 * weeks.
 */
export function nextOpening(windows: readonly TimeWindow[], now: number): number | undefined {
  const openings = windows.map((it) => opening(it, now)).filter((it) => it !== undefined);
  return openings.length === 0 ? undefined : Math.min(...openings);
}

/**
 * Hour by hour. Where the zone's offset stays the same for the hour, only the hour's beginning and
 * the time when the wall clock shows the window's start are checked. Where the offset changes,
 * every minute is.
 */
function opening(window: TimeWindow, now: number): number | undefined {
  const first = Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  let offset = wallClock(window.zone, first) - first;
  for (let hour = first; hour < first + HORIZON_MS; hour += HOUR_MS) {
    const after = wallClock(window.zone, hour + HOUR_MS) - (hour + HOUR_MS);
    const steady = offset === after;
    const found = (steady ? [0, minutesTo(window.from, hour + offset)] : EVERY_MINUTE)
      .map((minute) => hour + minute * MINUTE_MS)
      .find(
        (at) =>
          at < hour + HOUR_MS && shows(window, steady ? at + offset : wallClock(window.zone, at)),
      );
    if (found !== undefined) return found;
    offset = after;
  }
  return undefined;
}

const EVERY_MINUTE = Array.from({ length: 60 }, (_, minute) => minute);

/** From what the wall shows until it shows that minute of a day. */
function minutesTo(minute: number, wall: number): number {
  const date = new Date(wall);
  return (minute - date.getUTCHours() * 60 - date.getUTCMinutes() + DAY_MINUTES) % DAY_MINUTES;
}
